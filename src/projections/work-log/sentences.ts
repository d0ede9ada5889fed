import type { ToolFamily } from '../../protocol/known-tools.ts'
import { filesChangedWords, filesNamed } from './file-words.ts'
import type { WorkPair, WorkSubject, WorkResult } from './work-facts.ts'

/** The phrases for a kind of work: before it starts, while it runs, and what it is about; `done` is the whole sentence afterwards. */
interface Phrases {
  readonly to: string
  readonly doing: string
  readonly object: (subject: WorkSubject) => string
  readonly done: (pair: WorkPair) => string
}

type Words = (subject: WorkSubject) => string

const regular = (to: string, doing: string, did: string, object: Words, least = 10_000): Phrases => ({
  to,
  doing,
  object,
  done: pair => `${did} ${object(pair.subject)}${timeWords(pair, least)}`,
})

const quoted =
  (otherwise: string): Words =>
  ({ about }) =>
    about === '' ? otherwise : `'${about}'`
const named =
  (otherwise: string, before = ''): Words =>
  ({ about }) =>
    about === '' ? otherwise : `${before}${about}`

const aPlan: Words = ({ about }) => `the plan${about === '' ? '' : ` (${about})`}`
const aCommand: Words = ({ about, title }) => (about === '' ? (title ?? 'a command') : `\`${about}\``)

/** A pattern and where it is looked for. */
const aSearch: Words = ({ about, folder }) => {
  if (about === '') return folder ?? 'the folder'
  return folder === undefined ? `'${about}'` : `'${about}' in ${folder}`
}

const found = (did: string, one: string, many: string) => (pair: WorkPair) => {
  const hits = pair.result?.hits
  return `${did} ${aSearch(pair.subject)}${hits === undefined ? '' : ` (${counted(hits, one, many)})`}`
}

const onFiles = (to: string, doing: string): Phrases => ({
  to,
  doing,
  object: filesNamed,
  done: ({ subject, result }) => filesChangedWords(subject, result),
})

const onPlan: Phrases = {
  to: 'change',
  doing: 'Changing',
  object: aPlan,
  done: ({ subject, result }) => planSentence(subject, result),
}

/** A tool of an MCP server is named with its server. */
const aTool: Words = ({ tool }) => {
  const end = tool.startsWith('mcp__') ? tool.indexOf('__', 6) : -1
  const name = tool.slice(end + 2)
  return end === -1 || name === '' ? tool || 'a tool' : `${name} of ${tool.slice(5, end)}`
}

const onHelper = (to: string, doing: string, did: string) => regular(to, doing, did, () => 'a subagent')

/** What is done with a subagent that is there already, by the name of the tool. */
const helpers: readonly (readonly [tool: RegExp, phrases: Phrases])[] = [
  [/^wait/i, onHelper('wait for', 'Waiting for', 'Waited for')],
  [/^send/i, onHelper('write to', 'Writing to', 'Wrote to')],
  [/^close/i, onHelper('end', 'Ending', 'Ended')],
  [/^resume/i, onHelper('resume', 'Resuming', 'Resumed')],
]

/** An agent that does not report its command still gives it a title. */
function commandRun(pair: WorkPair): string {
  const { subject, result } = pair
  const isTitled = subject.about === '' && subject.title !== undefined
  const verb = isTitled ? '' : result?.background ? 'Started ' : 'Ran '
  return `${verb}${aCommand(subject)}${exitWords(pair)}`
}

function planFollowed({ subject: { about }, approval }: WorkPair): string {
  if (about !== '') return `Plan: ${about}`
  return approval?.approved ? 'Asked to continue with the plan → allowed' : 'Continued with the plan'
}

/** The phrases for each kind of work. */
const phrases: Readonly<Record<ToolFamily, Phrases>> = {
  read: {
    to: 'read',
    doing: 'Reading',
    object: filesNamed,
    done: pair => `Read ${filesNamed(pair.subject)}${linesWords(pair)}`,
  },
  write: onFiles('write', 'Writing'),
  edit: onFiles('change', 'Changing'),
  list: { to: 'list', doing: 'Listing', object: aSearch, done: found('Listed', 'entry', 'entries') },
  search: { to: 'search', doing: 'Searching', object: aSearch, done: found('Searched', 'hit', 'hits') },
  run: { to: 'run', doing: 'Running', object: aCommand, done: commandRun },
  watch: regular('check', 'Checking', 'Checked', () => 'a running command'),
  fetch: regular('fetch', 'Fetching', 'Fetched', named('a page')),
  'web-search': regular(
    'search the web for',
    'Searching the web for',
    'Searched the web for',
    quoted('something'),
  ),
  todo: onPlan,
  task: onPlan,
  plan: { to: 'continue with', doing: 'Continuing with', object: aPlan, done: planFollowed },
  ask: {
    to: 'ask',
    doing: 'Asking',
    object: quoted('a person'),
    done: pair => `Asked ${quoted('a person')(pair.subject)}${answerWords(pair)}`,
  },
  delegate: regular(
    'delegate',
    'Delegating',
    'Delegated',
    ({ who = 'a subagent', about }) => `to ${who}${about === '' ? '' : `: ${about}`}`,
    1000,
  ),
  helper: onHelper('manage', 'Managing', 'Managed'),
  skill: regular('use', 'Using', 'Used', named('a skill', 'the skill ')),
  recall: regular('recall', 'Recalling', 'Recalled', () => 'a cleared part'),
  other: regular('call', 'Calling', 'Called', aTool),
}

/** The phrases for a call. */
export function phrasesOf({ family, tool }: Pick<WorkSubject, 'family' | 'tool'>): Phrases {
  const known = family === 'helper' ? helpers.find(([names]) => names.test(tool)) : undefined
  return known?.[1] ?? phrases[family]
}

/** What a call did to the plan: how far it is, or the state of one line of it. */
function planSentence({ about, plan, parameters, tool }: WorkSubject, result: WorkResult | null): string {
  const progress = plan ?? result?.plan
  if (progress !== undefined) return `Plan: ${progress.done} of ${progress.total} done`
  const status = parameters['status']
  const task = about === '' ? undefined : /^\d+$/.test(about) ? `#${about}` : about
  if (task === undefined) return /list|read|get/i.test(tool) ? 'Looked at the plan' : 'Changed the plan'
  if (typeof status === 'string')
    return `Plan: ${task.startsWith('#') ? task : `'${task}'`} is ${status.replaceAll('_', ' ')}`
  return /create/i.test(tool) ? `Plan: added ${task}` : `Plan: ${task}`
}

/** Which lines were read, according to the result or else the call. */
function linesWords({ subject: { range }, result }: WorkPair): string {
  const lines = result?.lines
  if (lines !== undefined) {
    const isWhole = lines.from <= 1 && lines.total !== null && lines.to >= lines.total
    return isWhole ? ` (${counted(lines.total ?? lines.to, 'line')})` : ` (lines ${lines.from}–${lines.to})`
  }
  if (range === undefined) return ''
  return range.to === null ? ` (from line ${range.from})` : ` (lines ${range.from}–${range.to})`
}

/** How a command ended, and how long it took. */
function exitWords(pair: WorkPair): string {
  const { result } = pair
  if (result?.background) return ' in the background'
  if (result?.interrupted) return ` → interrupted${timeWords(pair, 1000)}`
  const exit = result?.exit === undefined ? '' : ` → exit ${result.exit}`
  return `${exit}${timeWords(pair, 1000)}`
}

/** What a person said. */
function answerWords({ subject, result, approval }: WorkPair): string {
  if (result?.answer !== undefined) return ` → ${subject.secret ? 'answered' : result.answer}`
  return approval?.approved ? ' → allowed' : ' → answered'
}

/** How long it took, from some length on. */
const timeWords = ({ duration }: WorkPair, least: number): string =>
  duration === null || duration < least ? '' : ` (${timeSpent(duration)})`

/** A number and what it counts. */
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`

/** A duration for people: `12 s`, `2 min 5 s`, `1 h 3 min`. */
function timeSpent(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return joined(`${minutes} min`, seconds % 60, 's')
  return joined(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min')
}

const joined = (large: string, rest: number, unit: string) =>
  rest === 0 ? large : `${large} ${rest} ${unit}`
