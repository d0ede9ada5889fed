import { refuseInput } from '../protocol/refuse-input.ts'
import type { Agent, Answer, Connection, ConnectOptions, Exit } from '../agents/agent.ts'
import type { Raw } from '../protocol/event.ts'
import { withoutHandover } from '../protocol/handover.ts'
import type { ApprovalId } from '../protocol/ids.ts'
import { translatePuppet, type PuppetLine } from './puppet-lines.fixture.ts'

/** What a puppet can do while it handles a prompt. */
export interface Stage {
  readonly text: string
  /** The conversation that was handed over to it, if any. */
  readonly brief: string
  /** How it was connected, and how often the agent was connected before. */
  readonly options: ConnectOptions
  readonly connections: number
  readonly say: (line: PuppetLine | string) => void
  readonly log: (text: string) => void
  /** Waits for the answer to a question. */
  readonly answer: (approval: string) => Promise<Answer>
  /** Aborted when it is asked to stop. */
  readonly interrupted: AbortSignal
  readonly exit: (exit?: Partial<Exit>) => void
}

/** Handles one prompt. */
export type Act = (stage: Stage) => Promise<void> | void

/** How a puppet differs from the default one. */
export interface PuppetOptions {
  readonly act?: Act
  /** Runs when it is connected, before the first prompt. */
  readonly onConnect?: (stage: Stage) => Promise<void> | void
  readonly name?: string
  readonly resume?: boolean
  /** Whether it can fork its own sessions, at any of its lines. */
  readonly fork?: boolean
  readonly canInterrupt?: boolean
  /** Whether it accepts an edited input. If not, it still accepts the answer "mine". */
  readonly changedInput?: boolean
  /** Lines that are sent to it before it counts as connected. */
  readonly handshake?: readonly string[]
  /** Runs when it is asked to exit, before it does. */
  readonly farewell?: Act
  /** A puppet that does not exit when it is asked to. */
  readonly clings?: boolean
}

/** An agent inside the test process: it keeps the contract of an agent and does what the test says. */
export interface Puppet extends Agent {
  /** How many are connected now, were connected at most, and were ever connected. */
  readonly counts: { now: number; most: number; ever: number }
  readonly prompts: string[]
  readonly sent: string[]
}

/** Repeats the prompt. */
export const echo: Act = ({ say, text }) => {
  say({ t: 'begin' })
  for (const word of text.split(' ')) say({ t: 'say', text: word })
  say({ t: 'end' })
}

/** Creates a puppet. */
export function createPuppet(options: PuppetOptions = {}): Puppet {
  const puppet: Puppet = {
    name: options.name ?? 'puppet',
    title: 'Puppet',
    capabilities: {
      resume: options.resume ?? true,
      fork: options.fork ?? false,
      approvals: true,
      changedInput: options.changedInput ?? true,
      denialReasons: true,
      images: false,
      interrupt: options.canInterrupt ?? true,
      subagents: true,
    },
    find: async () => ({ status: 'ready', version: '1', advice: null }),
    connect: connection => connectPuppet(puppet, options, connection),
    initial: connection => ({ connection, prompts: 0, lines: 0 }),
    translate: (state, raw) => translatePuppet(state as never, raw),
    ...(options.fork === true && {
      forkPoint(lines) {
        const begin = lines.find(({ text }) => text.includes('"agentSession"'))
        const words = begin && (JSON.parse(begin.text) as { readonly agentSession: string })
        return words ? { agentSession: words.agentSession, last: lines.at(-1)?.text ?? '' } : null
      },
    }),
    counts: { now: 0, most: 0, ever: 0 },
    prompts: [],
    sent: [],
  }
  return puppet
}

async function connectPuppet(
  puppet: Puppet,
  { act = echo, onConnect, farewell, handshake = [], clings = false }: PuppetOptions,
  options: ConnectOptions,
): Promise<Connection> {
  const { counts } = puppet
  const messages = createStream<Raw>()
  const logs = createStream<string>()
  const exit = Promise.withResolvers<Exit>()
  const answers = new Map<string, PromiseWithResolvers<Answer>>()
  const answerTo = (id: string) => {
    const known = answers.get(id) ?? Promise.withResolvers<Answer>()
    answers.set(id, known)
    return known
  }
  let interrupted = new AbortController()
  let gone = false
  const leave = (how: Partial<Exit> = {}) => {
    if (gone) return
    gone = true
    counts.now -= 1
    messages.end()
    logs.end()
    exit.resolve({ code: 0, signal: null, reason: null, ...how })
  }
  const send = async (line: unknown) => {
    const raw = JSON.stringify(line)
    await options.record({ raw })
    if (gone) throw new Error('write EPIPE')
    puppet.sent.push(raw)
  }
  const stage = (given: string): Stage => ({
    text: withoutHandover(given).trimStart(),
    brief: given.slice(0, given.length - withoutHandover(given).length),
    options,
    connections: counts.ever,
    say: line => messages.put({ raw: typeof line === 'string' ? line : JSON.stringify(line) }),
    log: words => logs.put(words),
    answer: id => answerTo(id).promise,
    interrupted: interrupted.signal,
    exit: leave,
  })

  for (const line of handshake) await send({ hello: line })
  counts.ever += 1
  counts.now += 1
  counts.most = Math.max(counts.most, counts.now)
  options.signal.addEventListener('abort', () => leave({ signal: 'SIGKILL', code: null }))
  await onConnect?.(stage(''))
  return {
    process: 4242,
    messages: messages.items,
    logs: logs.items,
    exit: exit.promise,
    async prompt(prompt, parts) {
      interrupted = new AbortController()
      const text = parts.map(part => (part.type === 'text' ? part.text : part.url)).join(' ')
      await send({ prompt, text })
      puppet.prompts.push(prompt)
      void act(stage(text))
    },
    refusal: (_, answer) => refuseInput(answer, puppet.capabilities.changedInput || answer.input === 'mine'),
    async answer(approval: ApprovalId, answer) {
      await send({ answer: approval, ...answer })
      answerTo(approval).resolve(answer)
    },
    async interrupt() {
      await send({ interrupt: true })
      interrupted.abort()
    },
    async [Symbol.asyncDispose]() {
      if (!gone) await farewell?.(stage(''))
      if (!clings) leave({ code: null, signal: 'SIGTERM' })
      await exit.promise
    },
  }
}

function createStream<Item>() {
  const waiting: Item[] = []
  let ended = false
  let news = Promise.withResolvers<void>()
  const wake = () => {
    news.resolve()
    news = Promise.withResolvers()
  }
  return {
    put(item: Item) {
      if (!ended) waiting.push(item)
      wake()
    },
    end() {
      ended = true
      wake()
    },
    items: (async function* () {
      for (;;) {
        const { promise } = news
        while (waiting.length > 0) yield waiting.shift() as Item
        if (ended) return
        await promise
      }
    })(),
  }
}
