import { placed, type Block, type Call } from './block.ts'
import { readLine, type Heard, type Line } from './line.ts'
import type { Request, Segment, Session } from './segment.ts'

interface Draft {
  readonly blocks: Block[]
  readonly requests: Request[]
  readonly calls: Map<string, Call>
  /** The current answer of the model, and what came meanwhile: results may come between two of its calls. */
  model: { readonly id: string; readonly at: number; readonly said: Said[] } | null
  person: Said[]
  /** The time of the last prompt or result: the next request is sent then. 0 before the first. */
  now: number
}

interface Said {
  readonly message: string
  readonly at: number
  readonly heard: Heard
}

const createDraft = (): Draft => ({
  blocks: [],
  requests: [],
  calls: new Map(),
  model: null,
  person: [],
  now: 0,
})

/** Makes a session of the lines of a transcript. */
export function readSession(name: string, lines: Iterable<string>): Session {
  const segments: Segment[] = []
  const seen = new Set<string>()
  const spoilt = { lines: 0, results: 0 }
  let draft = createDraft()
  const finish = () => {
    flush(draft)
    if (draft.requests.length > 0) segments.push({ blocks: draft.blocks, requests: draft.requests })
    draft = createDraft()
  }
  for (const text of lines) {
    if (text.trim() === '') continue
    const line = tryLine(text)
    if (line === 'spoilt') spoilt.lines++
    else if (line?.type === 'compacted') finish()
    else if (line !== null && isNew(seen, line.uuid)) spoilt.results += take(draft, line)
  }
  finish()
  return { name, segments, troubles: troublesOf(spoilt) }
}

function tryLine(text: string): Line | null | 'spoilt' {
  try {
    return readLine(text)
  } catch {
    // Counted and reported at the end: a transcript that is being written often ends in half a line.
    return 'spoilt'
  }
}

const isNew = (seen: Set<string>, uuid: string): boolean =>
  uuid === '' || (!seen.has(uuid) && !!seen.add(uuid))

const troublesOf = ({ lines, results }: { readonly lines: number; readonly results: number }) => [
  ...(lines === 0 ? [] : [`${lines} ${lines === 1 ? 'line is' : 'lines are'} not JSON and left out`]),
  ...(results === 0
    ? []
    : [
        `${results} tool ${results === 1 ? 'result has' : 'results have'} no call just before and ${results === 1 ? 'was' : 'were'} left out`,
      ]),
]

/** Adds a line; gives how many results in it had to be left out. */
function take(draft: Draft, line: Exclude<Line, { type: 'compacted' }>): number {
  if (line.type === 'person') return hearPerson(draft, line)
  if (draft.model?.id !== line.id) begin(draft, line)
  for (const heard of line.said) {
    draft.model?.said.push({ message: line.id, at: line.at || draft.now, heard })
    if (heard.kind === 'call') draft.calls.set(heard.call.id, heard.call)
  }
  return 0
}

function hearPerson(draft: Draft, { uuid, at, said }: Extract<Line, { type: 'person' }>): number {
  const usable = said.filter(heard => heard.kind !== 'result' || awaits(draft, heard.callId))
  draft.person.push(...usable.map(heard => ({ message: uuid, at: at || draft.now, heard })))
  draft.now = at || draft.now
  return said.length - usable.length
}

const awaits = ({ calls, person }: Draft, callId: string) =>
  calls.has(callId) && !person.some(({ heard }) => heard.kind === 'result' && heard.callId === callId)

/** Starts a new answer: its request saw everything before it. */
function begin(draft: Draft, { id, at }: Extract<Line, { type: 'model' }>): void {
  flush(draft)
  draft.model = { id, at: draft.now || at, said: [] }
}

function flush(draft: Draft): void {
  const { blocks, requests, model, person } = draft
  const step = requests.length + (model === null ? 0 : 1)
  const upTo = blocks.length
  for (const said of model?.said ?? []) add(draft, said, step)
  if (model !== null) requests.push({ step, at: model.at, upTo, answer: blocks.slice(upTo) })
  // Results first, as providers want it.
  for (const said of person.filter(({ heard }) => heard.kind === 'result')) add(draft, said, step)
  for (const said of person.filter(({ heard }) => heard.kind !== 'result')) add(draft, said, step)
  draft.calls.clear()
  draft.model = null
  draft.person = []
}

function add({ blocks, calls }: Draft, { message, at, heard }: Said, step: number): void {
  const { kind, content } = heard
  const call =
    heard.kind === 'call' ? heard.call : heard.kind === 'result' ? calls.get(heard.callId) : undefined
  const said = {
    kind,
    message,
    at,
    content,
    ...(call === undefined ? {} : { call }),
    ...(heard.kind === 'result' ? { isError: heard.isError } : {}),
    ...(heard.kind === 'thinking' ? { signature: heard.signature } : {}),
  }
  blocks.push(placed(said, blocks.length, step))
}
