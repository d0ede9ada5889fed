import { resolve } from 'node:path'
import type { Agent } from '../../agents/agent.ts'
import { loadAgents } from '../../agents/index.ts'
import type { Sent } from '../../protocol/api/api.ts'
import { isDragomanError } from '../../protocol/error.ts'
import { findTranscripts, importingAgents } from '../../sessions/import/find-transcripts.ts'
import { importFound } from '../../sessions/import/import-found.ts'
import type { ImportWish } from '../../sessions/import/imports.ts'
import { readWhole } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { readConfiguration } from '../configuration/configuration.ts'
import { folderFlags } from '../configuration/flags.ts'
import type { Configuration } from '../configuration/keys.ts'
import { hasFolder } from '../sessions-api/require-folder.ts'
import { findSpoiled } from '../import/find-spoiled.ts'
import { importAtServer, type Watching } from '../import/import-at-server.ts'
import { importLegacy, legacyFormats } from '../import/import-legacy.ts'
import { createReport } from '../import/report.ts'
import { openLocalStore } from '../open-local-store.ts'
import { findServer } from '../sessions-api/find-server.ts'
import { isReady } from '../sessions-api/is-ready.ts'
import { followingFile } from '../serve/following-file.ts'
import { takeFolder } from '../serve/take-folder.ts'
import type { Shell } from '../shell.ts'
import { createProgressBar } from '../terminal/progress-bar.ts'

/** Imports transcripts as sessions. */
export const importCommand = defineCommand({
  name: 'import',
  operands: ['[PATH]'],
  about: `
Imports the transcripts that agents save on disk. PATH is a file or a folder; gzip is supported. Each transcript
becomes a session. Without PATH, the agents' usual folders are searched. Transcripts imported before are skipped;
if one has grown, only its new lines are added. Lines that cannot be read are reported and skipped.
While a server runs, it imports in the background, and this command shows how far it is.
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
      help: 'size limit for an unpacked file in MiB (default: 1024); it may also have at most 2000000 lines and 100 times its packed size',
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
    const wish = {
      agents: agent === undefined ? undefined : [agent],
      path: fullPath(shell, path),
      unpackLimit,
    }
    const agents = importingAgents(await loadAgents(), wish.agents)
    const report = createReport(shell, json === true)
    using bar = createProgressBar(shell.err, 'Importing')
    const way = { wish, agents, note: report.note, show: (done: number) => bar.show(done) }
    await importAnywhere(configuration, way, shell)
    bar[Symbol.dispose]()
    report.end()
    return report.failed > 0 ? 1 : 0
  },
})

/** What is imported, and where progress is reported. */
interface Way extends Watching {
  readonly wish: ImportWish
  readonly agents: readonly Agent[]
}

const fullPath = ({ cwd }: Shell, path: string | undefined) =>
  path === undefined ? undefined : resolve(cwd, path)

function readUnpackLimit(flag: string | undefined): number | undefined {
  const limit = readWhole('import', 'unpack-limit', flag)
  return limit === undefined ? undefined : limit * 1024 * 1024
}

/** Imports through the server of the data folder; without one, in this process. */
async function importAnywhere(configuration: Configuration, way: Way, shell: Shell): Promise<void> {
  const place = findServer(configuration.data)
  if (place !== null && (await isReady(place))) return importAtServer(place, sentOf(way.wish), way, shell)
  try {
    await importHere(configuration, way, shell)
  } catch (error) {
    const started = isDragomanError(error, 'folder-locked') ? findServer(configuration.data) : null
    if (started === null) throw error
    // A server took the folder first.
    await importAtServer(started, sentOf(way.wish), way, shell)
  }
}

const sentOf = ({ agents, path, unpackLimit }: ImportWish): Sent<'startImport'>['body'] => ({
  ...(agents !== undefined && { agents: [...agents] }),
  ...(path !== undefined && { path }),
  ...(unpackLimit !== undefined && { unpackLimit }),
})

async function importHere(
  configuration: Configuration,
  { wish: { path, unpackLimit }, agents, note, show }: Way,
  { env }: Shell,
): Promise<void> {
  const startedAt = Date.now()
  const { found, unread } = await findTranscripts({ agents, path, env }, findSpoiled)
  if (found.length > 0) {
    await using store = await takeFolder(configuration.data, () => openLocalStore('import', configuration))
    for (const each of unread) note({ type: 'unread', ...each })
    const target = { sessions: store.sessions, dataFolder: store.folder, unpackLimit }
    const all = found.reduce((sum, { found: { bytes } }) => sum + bytes, 1)
    let done = 0
    for (const each of found) {
      await importFound(target, each, note)
      done += each.found.bytes
      show(done / all)
    }
    // From now on, a server follows them.
    const following = followingFile(store.folder)
    const memory = following.read()
    if (path === undefined && memory.since === null) await following.write({ ...memory, since: startedAt })
  } else for (const each of unread) note({ type: 'unread', ...each })
}
