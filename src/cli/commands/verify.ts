import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { describeFailure } from '../../journal/sqlite/sqlite-failure.ts'
import { verify as verifyFolder } from '../../journal/sqlite/verify.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import { defaultFolder } from '../configuration/configuration.ts'
import { requireFolder } from '../sessions-api/require-folder.ts'
import { readVersions, type Versions } from '../doctor/versions.ts'
import type { Shell } from '../shell.ts'
import { counted } from '../terminal/amounts.ts'
import { inertLine } from '../terminal/inert.ts'
import { createProgressBar } from '../terminal/progress-bar.ts'
import { jsonLine } from '../terminal/json-line.ts'

type Report = Awaited<ReturnType<typeof verifyFolder>>

/** Checks a data folder for damage. */
export const verify = defineCommand({
  name: 'verify',
  operands: [],
  about: `
Checks the data folder for damage: every byte of its files and every entry of every session.
Changes nothing, but needs exclusive access to the folder, so stop the server first.
Exits with 1 and lists the sessions if it finds damage; otherwise exits with 0.`,
  flags: folderFlags,
  async run({ flags }, shell) {
    const { data } = readConfiguration(flags, shell)
    if (data !== defaultFolder(shell.env)) requireFolder({ data })
    refuseNewer(data)
    const report = await look(data, shell)
    if (flags.json === true) shell.out.write(jsonLine(report))
    else shell.out.write(reportText(report, data, shell))
    return report.damage.length === 0 ? 0 : 1
  },
})

/** Skips data of a newer version, which would look damaged. */
function refuseNewer(folder: string): void {
  const versions = versionsIn(folder)
  if (versions?.newer !== true) return
  throw new DragomanError(
    'folder-newer',
    `${folder} was written by a newer Dragoman (${versions.text}), so this one cannot verify it. Update Dragoman.`,
  )
}

function versionsIn(folder: string): Versions | null {
  try {
    return readVersions(folder)
  } catch {
    // A database whose version cannot be read is damaged; the check below reports it.
    return null
  }
}

async function look(folder: string, { err }: Shell): Promise<Report> {
  using bar = createProgressBar(err, 'Verifying')
  try {
    return await verifyFolder(folder, done => bar.show(done))
  } catch (error) {
    if (isDragomanError(error, 'folder-locked') && error.details['url'] !== undefined) throw served(error)
    throw describeFailure(error, folder)
  }
}

const served = ({ message, details }: DragomanError) =>
  new DragomanError(
    'folder-locked',
    `${message} Verification compares every byte, and a running server changes the files.`,
    details,
  )

function reportText(
  { sessions, entries, damage }: Report,
  folder: string,
  { out: { style } }: Shell,
): string {
  if (damage.length > 0) {
    const lines = damage.map(({ session, what }) => `  ${session ?? 'the folder'}: ${inertLine(what)}\n`)
    const named = new Set(damage.flatMap(({ session }) => session ?? [])).size
    const where = named === 0 ? '' : ` in ${counted(named, 'session')}`
    return `${style.red(`✗ ${counted(damage.length, 'damage')} found${where}`)} (${folder}):\n${lines.join('')}`
  }
  if (sessions === 0) return `${style.green('✓')} Nothing to verify: ${folder} is empty.\n`
  const what = `${counted(sessions, 'session')} with ${counted(entries, 'entry', 'entries')}`
  return `${style.green('✓')} ${what} in ${folder}: no damage found.\n`
}
