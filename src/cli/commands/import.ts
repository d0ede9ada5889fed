import { loadAgents } from '../../agents/index.ts'
import { DragomanError, isDragomanError } from '../../protocol/error.ts'
import { readWhole } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { Configuration } from '../configuration/keys.ts'
import { hasFolder } from '../desk/require-folder.ts'
import { findTranscripts, importingAgents, type AgentTranscript } from '../import/find-transcripts.ts'
import { importLegacy, legacyFormats } from '../import/import-legacy.ts'
import { createReport, type ImportReport } from '../import/report.ts'
import { openHouse, type House } from '../open-house.ts'
import { takeFolder } from '../serve/take-folder.ts'
import { createProgressBar } from '../terminal/progress-bar.ts'

/** Makes sessions of transcripts. */
export const importCommand = defineCommand({
  name: 'import',
  operands: ['[PATH]'],
  about: `
Imports the transcripts that agents save on disk. PATH is a file or a folder; gzip is supported. Each transcript
becomes a session. Without PATH, the agents' usual folders are searched. Transcripts imported before are skipped;
if one has grown, only its new lines are added. Lines that cannot be read are reported and skipped.
Exits with 1 if a file could not be read.
With --legacy, the file contains a flat array of messages and becomes one session.`,
  flags: {
    agent: { type: 'string', value: 'NAME', help: 'only transcripts of this agent' },
    legacy: { type: 'string', value: 'FILE', help: 'a flat array of messages as JSON' },
    format: {
      type: 'string',
      value: legacyFormats.join('|'),
      help: 'the format of the array (default: detected)',
    },
    'unpack-limit': {
      type: 'string',
      value: 'MIB',
      help: 'size limit for an unpacked file (default 1024; also at most 100 times its packed size and 2000000 lines)',
    },
    ...folderFlags,
  },
  async run({ flags, operands }, shell) {
    const { agent, json, legacy, format, 'unpack-limit': limit, ...settings } = flags
    const unpackLimit = readUnpackLimit(limit)
    const configuration = readConfiguration(settings, shell)
    hasFolder(configuration.data)
    const [path] = operands
    if (legacy !== undefined) {
      const chosen = agent === undefined ? configuration : { ...configuration, agent }
      await importLegacy(chosen, { file: legacy, format, json: json === true }, shell)
      return 0
    }
    const search = { agents: importingAgents(await loadAgents(), agent), path }
    const { found, unread } = await findTranscripts(search, shell)
    const report = createReport(shell, json === true)
    for (const each of unread) report.unread(each)
    const isNothing = path !== undefined && found.length + unread.length === 0
    if (isNothing) report.unread({ file: path, reason: 'No supported transcript found in this file.' })
    using bar = createProgressBar(shell.err, 'Importing')
    if (found.length > 0) {
      const way = { report, unpackLimit, show: (done: number) => bar.show(done) }
      await importAll(configuration, found, way)
    }
    bar[Symbol.dispose]()
    report.end()
    return report.failed > 0 ? 1 : 0
  },
})

/** How transcripts are imported, and where progress is reported. */
interface Way {
  readonly report: ImportReport
  readonly unpackLimit: number | undefined
  readonly show: (done: number) => void
}

function readUnpackLimit(flag: string | undefined): number | undefined {
  const limit = readWhole('import', 'unpack-limit', flag)
  return limit === undefined ? undefined : limit * 1024 * 1024
}

async function importAll(
  configuration: Configuration,
  found: readonly AgentTranscript[],
  { report, unpackLimit, show }: Way,
): Promise<void> {
  await using house = await openAlone(configuration)
  const all = found.reduce((sum, { found: { bytes } }) => sum + bytes, 1)
  let done = 0
  for (const each of found) {
    await importOne(house, each, { report, unpackLimit })
    done += each.found.bytes
    show(done / all)
  }
}

async function importOne(
  { sessions, folder }: House,
  { agent: { name: agent }, found }: AgentTranscript,
  { report, unpackLimit }: Omit<Way, 'show'>,
): Promise<void> {
  const { file } = found
  try {
    const transcript = await found.read({
      dataFolder: folder,
      unpackLimit,
      skip: line => report.skipped(line),
    })
    report.imported(agent, file, await sessions.import({ agent, file, transcript }))
  } catch (error) {
    // What the journal refuses concerns every file; what one file is like concerns only that one.
    if (isDragomanError(error)) throw error
    report.unread({ file, reason: (error as Error).message })
  }
}

/** Two writers would spoil each other's work, so a server must be stopped first. */
async function openAlone(configuration: Configuration): Promise<House> {
  try {
    return await takeFolder(configuration.data, () => openHouse('import', configuration))
  } catch (error) {
    if (!isDragomanError(error, 'folder-locked')) throw error
    throw new DragomanError(
      'folder-locked',
      `${error.message} An import needs exclusive access to the data folder. Stop the other program, import, then start it again.`,
    )
  }
}
