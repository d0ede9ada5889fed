import type { Chunk, FinishReason, Thread } from './chunk.ts'

/** The rules of the outgoing stream that chunks alone can break, by their number in the specification. */
export type Rule = 1 | 2 | 3 | 4 | 5 | 8 | 9 | 10

interface Call {
  readonly step: number
  state: 'streaming' | 'available' | 'settled' | 'broken'
  asked: boolean
}

/** What a linter remembers of one message. */
export interface LintedMessage {
  readonly id: string
  /** Names of the parts in the order in which a client holds them. */
  readonly parts: string[]
  /** Data parts that a later chunk of the same name replaces. */
  readonly data: Set<string>
  readonly words: Set<string>
  readonly open: Set<string>
  readonly calls: Map<string, Call>
  steps: number
  inStep: boolean
  failed: boolean
}

/** What a linter remembers of a stream, and where it reports. */
export interface Lint {
  readonly live: Map<Thread, LintedMessage>
  readonly messages: Map<string, { readonly thread: Thread; readonly message: LintedMessage }>
  readonly approvals: Set<string>
  /** In which thread each tool call was made: it may be the name of a thread. */
  readonly calls: Map<string, Thread>
  report(rule: Rule, message: string): void
}

type ChunkOf<Type extends Chunk['type']> = Extract<Chunk, { readonly type: Type }>
type Check<Type extends Chunk['type']> = (
  lint: Lint,
  message: LintedMessage,
  chunk: ChunkOf<Type>,
  thread: Thread,
) => void

/** A message of which nothing has been seen yet. */
export function newMessage(id: string): LintedMessage {
  return {
    id,
    parts: [],
    data: new Set(),
    words: new Set(),
    open: new Set(),
    calls: new Map(),
    steps: 0,
    inStep: false,
    failed: false,
  }
}

/** Checks one chunk inside a message. */
export function checkContent(lint: Lint, message: LintedMessage, chunk: Chunk, thread: Thread): void {
  const check = checks[chunk.type] as Check<Chunk['type']> | undefined
  if (check) check(lint, message, chunk, thread)
  else if (chunk.type.startsWith('data-')) checkData(lint, message, chunk)
}

const finishReasons: ReadonlySet<unknown> = new Set<FinishReason>([
  'stop',
  'length',
  'content-filter',
  'tool-calls',
  'error',
  'other',
])

const checks: { readonly [Type in Chunk['type']]?: Check<Type> } = {
  'start-step': (lint, message) => {
    if (message.inStep) lint.report(2, 'a step is already open')
    message.steps += 1
    message.inStep = true
    message.parts.push('')
  },
  'finish-step': (lint, message) => {
    if (!message.inStep) lint.report(2, 'no step is open')
    checkClosed(lint, message)
    message.inStep = false
  },
  'text-start': (lint, message, { id }) => checkStart(lint, message, id),
  'text-delta': (lint, message, { id }) => checkOpen(lint, message, id),
  'text-end': (lint, message, { id }) => checkEnd(lint, message, id),
  'reasoning-start': (lint, message, { id }) => checkStart(lint, message, id),
  'reasoning-delta': (lint, message, { id }) => checkOpen(lint, message, id),
  'reasoning-end': (lint, message, { id }) => checkEnd(lint, message, id),
  'tool-input-start': (lint, message, chunk, thread) => {
    checkFlags(lint, chunk)
    if (message.calls.has(chunk.toolCallId))
      return lint.report(2, `call ${chunk.toolCallId} was already started`)
    addCall(lint, message, chunk.toolCallId, 'streaming', thread)
    message.open.add(`call ${chunk.toolCallId}`)
  },
  'tool-input-delta': (lint, message, chunk) => {
    checkNoFlags(lint, chunk)
    if (message.calls.get(chunk.toolCallId)?.state !== 'streaming')
      lint.report(3, `the input of call ${chunk.toolCallId} is not being streamed`)
  },
  'tool-input-available': (lint, message, chunk, thread) => {
    checkFlags(lint, chunk)
    checkPresent(lint, chunk, 'input')
    checkInput(lint, message, chunk.toolCallId, 'available', thread)
  },
  'tool-input-error': (lint, message, chunk, thread) => {
    checkPresent(lint, chunk, 'input')
    if (chunk.dynamic !== true) lint.report(3, 'without dynamic, early clients create a second part')
    checkInput(lint, message, chunk.toolCallId, 'broken', thread)
  },
  'tool-approval-request': (lint, message, chunk) => {
    checkNoFlags(lint, chunk)
    const call = message.calls.get(chunk.toolCallId)
    if (call?.state !== 'available') lint.report(8, `call ${chunk.toolCallId} is not pending`)
    if (lint.approvals.has(chunk.approvalId))
      lint.report(8, `approval ${chunk.approvalId} was already requested`)
    lint.approvals.add(chunk.approvalId)
    if (call) call.asked = true
  },
  'tool-output-available': (lint, message, chunk) => {
    checkFlags(lint, chunk)
    checkPresent(lint, chunk, 'output')
    checkOutput(lint, message, chunk.toolCallId, chunk.preliminary !== true)
  },
  'tool-output-error': (lint, message, chunk) => {
    checkFlags(lint, chunk)
    checkOutput(lint, message, chunk.toolCallId, true)
  },
  'tool-output-denied': (lint, message, chunk) => {
    checkNoFlags(lint, chunk)
    if (message.calls.get(chunk.toolCallId)?.asked !== true)
      lint.report(8, 'denies a call that was never requested')
    checkOutput(lint, message, chunk.toolCallId, true)
  },
  file: (_, message) => void message.parts.push(''),
  'source-url': (_, message) => void message.parts.push(''),
  'source-document': (_, message) => void message.parts.push(''),
  error: (lint, message) => {
    checkClosed(lint, message)
    message.failed = true
  },
  abort: checkClosed,
  finish: (lint, message, { finishReason, messageMetadata }) => {
    checkClosed(lint, message)
    if (message.inStep) lint.report(2, 'a step is still open')
    if (finishReason !== undefined && !finishReasons.has(finishReason))
      lint.report(4, `finishReason ${JSON.stringify(finishReason)} is not one of the six allowed`)
    const bad = message.failed || (messageMetadata?.['reason'] ?? 'finished') !== 'finished'
    if (bad && finishReason === 'stop') lint.report(1, 'failed, but finishes with stop')
    message.inStep = false
  },
}

function checkStart(lint: Lint, message: LintedMessage, id: string): void {
  if (message.words.has(id)) lint.report(2, `part ${id} was already started`)
  message.words.add(id)
  message.open.add(`part ${id}`)
  message.parts.push(id)
}

function checkOpen(lint: Lint, message: LintedMessage, id: string): void {
  if (!message.open.has(`part ${id}`)) lint.report(2, `part ${id} is not open`)
}

function checkEnd(lint: Lint, message: LintedMessage, id: string): void {
  checkOpen(lint, message, id)
  message.open.delete(`part ${id}`)
}

function checkClosed(lint: Lint, message: LintedMessage): void {
  for (const name of message.open) lint.report(2, `${name} is still open`)
}

function addCall(lint: Lint, message: LintedMessage, id: string, state: Call['state'], thread: Thread): void {
  message.calls.set(id, { step: message.steps, state, asked: false })
  message.parts.push(id)
  lint.calls.set(id, thread)
}

function checkInput(
  lint: Lint,
  message: LintedMessage,
  id: string,
  state: 'available' | 'broken',
  thread: Thread,
): void {
  const call = message.calls.get(id)
  if (!call) return addCall(lint, message, id, state, thread)
  const sameStep = call.step === message.steps && (message.inStep || message.steps === 0)
  if (!sameStep) lint.report(3, `call ${id} started in an earlier step, so clients create a second part`)
  if (call.state === 'settled' || call.state === 'broken') lint.report(3, `call ${id} has already ended`)
  call.state = state
  message.open.delete(`call ${id}`)
}

function checkOutput(lint: Lint, message: LintedMessage, id: string, settles: boolean): void {
  const call = message.calls.get(id)
  if (!call) return lint.report(3, `no call ${id} in this message`)
  if (call.state !== 'available' && call.state !== 'settled') lint.report(3, `call ${id} has no input yet`)
  if (settles) call.state = 'settled'
}

interface Flags {
  readonly dynamic?: boolean
  readonly providerExecuted?: boolean
}

function checkFlags(lint: Lint, chunk: Flags): void {
  if (chunk.dynamic !== true || chunk.providerExecuted !== true)
    lint.report(3, 'a tool run by the agent needs dynamic and providerExecuted')
}

function checkNoFlags(lint: Lint, chunk: Chunk): void {
  if ('dynamic' in chunk || 'providerExecuted' in chunk)
    lint.report(3, 'early clients reject dynamic and providerExecuted here')
}

function checkPresent(lint: Lint, chunk: Chunk, key: string): void {
  if ((chunk as Readonly<Record<string, unknown>>)[key] === undefined)
    lint.report(5, `${key} is missing; use null if there is no value`)
}

function checkData(lint: Lint, message: LintedMessage, chunk: Chunk): void {
  checkPresent(lint, chunk, 'data')
  if (chunk.type === 'data-subagent' && !message.calls.has(chunk.id ?? ''))
    lint.report(10, `no call ${chunk.id} in this message started this subagent`)
  if (chunk.type === 'data-retracted') checkRetracted(lint, message, chunk)
  const name = 'id' in chunk ? `${chunk.type} ${chunk.id}` : ''
  if (name === '' || !message.data.has(name)) message.parts.push('')
  message.data.add(name)
}

function checkRetracted(lint: Lint, message: LintedMessage, { data }: ChunkOf<'data-retracted'>): void {
  if (data.ids.length !== data.indexes.length) lint.report(9, 'needs one index for each id')
  for (const [at, id] of data.ids.entries()) {
    if (message.open.has(`part ${id}`) || message.open.has(`call ${id}`))
      lint.report(9, `part ${id} is retracted while still open`)
    if (message.parts[data.indexes[at] ?? -1] !== id)
      lint.report(9, `part ${id} is not at index ${data.indexes[at]}`)
  }
}
