import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { profiles } from '../../src/context/profiles.ts'
import type { Target } from '../../src/context/target.ts'
import { anchors } from './anchors/anchors.ts'
import { productPolicy } from './product/product-policy.ts'
import { checksOf, faultsOf } from './checks.ts'
import { documentOf } from './document.ts'
import { verdictOf } from './goals.ts'
import { noScore, replay, type Score } from './replay.ts'
import { reportOf } from './report.ts'
import { tableOf } from './table.ts'
import { findTranscripts, readTranscript, TranscriptError } from './transcript/find-transcripts.ts'
import type { Session } from './transcript/segment.ts'

const usage = `Usage: npm run bench:context -- --transcripts DIR [--json] [--ours] [--thinking HOW] [--write FILE]

  --transcripts DIR  transcripts of Claude Code: a folder, or one file; *.jsonl or *.jsonl.gz
  --json             print JSON instead of a table
  --ours             only our own policies, not the rules of others
  --thinking HOW     what a change does to the thinking after it: bound (it is dropped, and nothing may change while an
                     interaction that thinks is running; the default), dropped (only the former) or free (it stays)
  --write FILE       also write the table, the date and the machine as Markdown
`

function readArguments() {
  try {
    const { values } = parseArgs({
      options: {
        transcripts: { type: 'string' },
        json: { type: 'boolean', default: false },
        ours: { type: 'boolean', default: false },
        write: { type: 'string' },
        thinking: { type: 'string', default: 'bound' },
        help: { type: 'boolean', default: false },
      },
    })
    return values
  } catch (error) {
    return stop((error as Error).message, usage)
  }
}

function stop(reason: string, more = ''): never {
  process.stderr.write(`${reason}\n${more === '' ? '' : `\n${more}`}`)
  process.exit(2)
}

const isThinking = (value: string): value is Target['thinking'] =>
  ['bound', 'dropped', 'free'].includes(value)

const tell = (words: string) => void process.stderr.write(`${words}\n`)

/** Reads a transcript; one that cannot be read is reported and left out. */
function tryTranscript(path: string): Session | null {
  try {
    const session = readTranscript(path)
    for (const trouble of session.troubles) tell(`${path}: ${trouble}.`)
    return session.segments.length === 0 ? null : session
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error
    tell(`Left out: ${error.message}`)
    return null
  }
}

function replayAll(
  paths: readonly string[],
  scores: readonly Score[],
): { sessions: number; requests: number } {
  const total = { sessions: 0, requests: 0 }
  const begin = performance.now()
  for (const [at, path] of paths.entries()) {
    const session = tryTranscript(path)
    if (session === null) continue
    replay(session, scores)
    total.sessions++
    total.requests += session.segments.reduce((sum, { requests }) => sum + requests.length, 0)
    const seconds = ((performance.now() - begin) / 1000).toFixed(0)
    tell(`${at + 1} of ${paths.length} transcripts, ${total.requests} requests, ${seconds} s`)
  }
  return total
}

const { transcripts, json, ours, thinking, write, help } = readArguments()
if (help) {
  process.stdout.write(usage)
  process.exit(0)
}
if (!isThinking(thinking)) stop(`--thinking is bound, dropped or free, not ${thinking}.`, usage)
if (transcripts === undefined) stop('Say where the transcripts are.', usage)
let paths: readonly string[]
try {
  paths = findTranscripts(transcripts)
} catch (error) {
  if (!(error instanceof TranscriptError)) throw error
  stop(error.message)
}
const scores = [
  ...Object.values(profiles).map(profile => productPolicy(profile, thinking)),
  ...(ours ? [] : anchors),
].map(noScore)
const { sessions, requests } = replayAll(paths, scores)
if (sessions === 0)
  stop(
    `Nothing in ${transcripts} is a transcript with a model request in it. Give transcripts of Claude Code.`,
  )
const report = reportOf(scores, sessions, requests)
const faults = faultsOf(scores)
process.stdout.write(
  json
    ? `${JSON.stringify(report, null, 2)}\n`
    : `${sessions} ${sessions === 1 ? 'session' : 'sessions'}, ${requests} requests\n\n${tableOf(report)}\n\n${verdictOf(report)}\n\n${checksOf(scores)}\n`,
)
if (write !== undefined) {
  const command = ['npm run bench:context --', ...process.argv.slice(2)].join(' ')
  writeFileSync(write, documentOf(report, scores, command, new Date()))
}
for (const fault of faults) tell(fault)
if (faults.length > 0) process.exitCode = 1
