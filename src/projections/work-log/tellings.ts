import type { ToolFamily } from '../../protocol/known-tools.ts'
import { answerWords, counted, exitWords, linesWords, timeWords } from './details.ts'
import { filesChangedWords, filesNamed } from './file-words.ts'
import { planSentence } from './plan-sentence.ts'
import type { WorkPair, WorkSubject } from './work-facts.ts'

/** How a kind of work is told: before it is done, while it is, and what it is about; after it was done, in full. */
interface Telling {
  readonly to: string
  readonly doing: string
  readonly object: (subject: WorkSubject) => string
  readonly done: (pair: WorkPair) => string
}

type Words = (subject: WorkSubject) => string

const told = (to: string, doing: string, did: string, object: Words, least = 10_000): Telling => ({
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

const onFiles = (to: string, doing: string): Telling => ({
  to,
  doing,
  object: filesNamed,
  done: ({ subject, result }) => filesChangedWords(subject, result),
})

const onPlan: Telling = {
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

const onHelper = (to: string, doing: string, did: string) => told(to, doing, did, () => 'a subagent')

/** What is done with a subagent that is there already, by the name of the tool. */
const helpers: readonly (readonly [tool: RegExp, telling: Telling])[] = [
  [/^wait/i, onHelper('wait for', 'Waiting for', 'Waited for')],
  [/^send/i, onHelper('write to', 'Writing to', 'Wrote to')],
  [/^close/i, onHelper('end', 'Ending', 'Ended')],
  [/^resume/i, onHelper('resume', 'Resuming', 'Resumed')],
]

/** An agent that does not tell its command still says what it does. */
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

/** How each kind of work is told. */
const tellings: Readonly<Record<ToolFamily, Telling>> = {
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
  watch: told('check', 'Checking', 'Checked', () => 'a running command'),
  fetch: told('fetch', 'Fetching', 'Fetched', named('a page')),
  'web-search': told(
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
  delegate: told(
    'delegate',
    'Delegating',
    'Delegated',
    ({ who = 'a subagent', about }) => `to ${who}${about === '' ? '' : `: ${about}`}`,
    1000,
  ),
  helper: onHelper('manage', 'Managing', 'Managed'),
  skill: told('use', 'Using', 'Used', named('a skill', 'the skill ')),
  recall: told('recall', 'Recalling', 'Recalled', () => 'a cleared part'),
  other: told('call', 'Calling', 'Called', aTool),
}

/** How a call is told. */
export function tellingOf({ family, tool }: Pick<WorkSubject, 'family' | 'tool'>): Telling {
  const known = family === 'helper' ? helpers.find(([names]) => names.test(tool)) : undefined
  return known?.[1] ?? tellings[family]
}
