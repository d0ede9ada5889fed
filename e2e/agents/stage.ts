import { appendFileSync } from 'node:fs'
import type { Agent, Connection } from '../../src/agents/agent.ts'
import { createMessages } from '../../src/projections/messages.ts'
import type { Chunk, Thread, ThreadChunk } from '../../src/protocol/chunk.ts'
import type { Raw } from '../../src/protocol/event.ts'
import type { ApprovalId, ConnectionId, EntryId, PromptId, SessionId } from '../../src/protocol/ids.ts'
import type { Json } from '../../src/protocol/json.ts'
import type { Message, PromptPart } from '../../src/protocol/message.ts'
import { openParts } from '../../src/protocol/open-parts.ts'
import { assertWellFormed } from '../../src/protocol/well-formed.ts'

/** A running real agent, its lines translated as they come. */
export interface Stage extends AsyncDisposable {
  readonly connection: Connection
  readonly chunks: readonly ThreadChunk[]
  /** The agent's own name for the session. */
  readonly agentSession: string | null
  say(prompt: string | readonly PromptPart[]): Promise<void>
  /** Waits for a chunk, from now on or, with `all`, from the beginning. */
  until(isIt: (chunk: Chunk, thread: Thread) => boolean, all?: boolean): Promise<Chunk>
  /** Prompts, and waits for the end of the answer. */
  ask(prompt: string | readonly PromptPart[]): Promise<Message>
  answer(approval: string, approved: boolean, input?: Json): Promise<void>
  /** The messages that would be stored, with open parts closed. Throws when the stream is not well formed. */
  messages(): readonly { readonly thread: Thread; readonly message: Message }[]
}

/** The options of a setup. */
export interface Setting {
  readonly cwd: string
  readonly dataFolder: string
  readonly resume?: string
  readonly options?: Json
  /** Where the agent's lines are written to. */
  readonly recording?: string
}

const waitMs = 30_000
let connections = 0

/** Connects a real agent and translates the lines of both sides. */
export async function setStage(agent: Agent, setting: Setting): Promise<Stage> {
  const connectionId = `live-${(connections += 1)}` as ConnectionId
  const chunks: ThreadChunk[] = []
  const watchers = new Set<() => void>()
  let state = agent.initial(connectionId)
  const hear = (from: 'agent' | 'host', { raw }: Raw) => {
    if (from === 'agent' && setting.recording !== undefined) appendFileSync(setting.recording, `${raw}\n`)
    const [next, said] = agent.translate(state, { from, text: raw })
    state = next
    chunks.push(...said)
    for (const look of watchers) look()
  }
  const end = new AbortController()
  const connection = await agent.connect({
    cwd: setting.cwd,
    dataFolder: setting.dataFolder,
    resume: setting.resume ?? null,
    options: setting.options ?? null,
    signal: end.signal,
    record: raw => Promise.resolve(hear('host', raw)),
  })
  const listening = listen(connection, raw => hear('agent', raw))
  const until: Stage['until'] = (isIt, all = false) =>
    waitFor(chunks, watchers, isIt, all ? 0 : chunks.length)
  let prompts = 0
  const say: Stage['say'] = async prompt => {
    const parts = typeof prompt === 'string' ? [{ type: 'text', text: prompt } as const] : prompt
    await connection.prompt(`prompt-${(prompts += 1)}` as PromptId, parts)
  }
  return {
    connection,
    chunks,
    get agentSession() {
      const told = chunks.findLast(({ chunk }) => chunk.type === 'data-session')?.chunk
      return told?.type === 'data-session' ? told.data.agentSession : null
    },
    say,
    until,
    async ask(prompt) {
      const finished = until((chunk, thread) => chunk.type === 'finish' && thread === null)
      await Promise.all([say(prompt), finished])
      const last = fold(chunks).findLast(({ thread }) => thread === null)
      if (last === undefined) throw new Error('There is no answer.')
      return last.message
    },
    answer: (approval, approved, input) =>
      connection.answer(approval as ApprovalId, {
        approved,
        reason: null,
        always: false,
        ...(input === undefined ? {} : { input }),
      }),
    messages: () => fold(chunks),
    async [Symbol.asyncDispose]() {
      end.abort()
      await connection[Symbol.asyncDispose]()
      await listening
    },
  }
}

async function listen({ messages, logs }: Connection, hear: (raw: Raw) => void): Promise<void> {
  const drained = (async () => {
    for await (const _ of logs);
  })()
  for await (const raw of messages) hear(raw)
  await drained
}

async function waitFor(
  chunks: readonly ThreadChunk[],
  watchers: Set<() => void>,
  isIt: (chunk: Chunk, thread: Thread) => boolean,
  from: number,
): Promise<Chunk> {
  const { promise, resolve, reject } = Promise.withResolvers<Chunk>()
  const look = () => {
    const found = chunks.slice(from).find(({ chunk, thread }) => isIt(chunk, thread))
    if (found) resolve(found.chunk)
  }
  const timer = setTimeout(() => reject(new Error(`Nothing of it came in ${waitMs / 1000} s.`)), waitMs)
  watchers.add(look)
  look()
  return await promise.finally(() => {
    watchers.delete(look)
    clearTimeout(timer)
  })
}

function fold(chunks: readonly ThreadChunk[]): ReturnType<Stage['messages']> {
  const open = chunks.reduce(openParts.apply, openParts.initial)
  const closing = openParts.closeAll(open, { errorText: 'The agent ended.', reason: 'interrupted' })
  const all = [...chunks, ...closing]
  assertWellFormed(all)
  const messages = createMessages()
  messages.apply({
    session: 'live' as SessionId,
    id: '' as EntryId,
    at: 0,
    seq: 1,
    event: {
      type: 'agent-spoke',
      interaction: null,
      connection: 'live' as ConnectionId,
      raw: '',
      chunks: all,
    },
  })
  return [...messages.view()].flatMap(([thread, kept]) => kept.map(({ message }) => ({ thread, message })))
}

/** The words of a message. */
export const wordsOf = ({ parts }: Message): string =>
  parts.map(part => (part.type === 'text' ? part.text : '')).join('')

/** The tool calls of a message. */
export const callsOf = ({ parts }: Message) => parts.filter(part => part.type === 'dynamic-tool')
