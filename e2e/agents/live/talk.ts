import type { Client, Session, SessionState } from '../../../src/client/index.ts'
import type { Event, EventOf } from '../../../src/protocol/event.ts'
import type { Message, PromptPart } from '../../../src/protocol/message.ts'

/** A session as a client sees it. */
export interface Talk {
  readonly session: Session
  /** Prompts, and comes back when the server has saved it. */
  say(words: string | readonly PromptPart[]): Promise<number>
  /** Prompts and waits for the end of the interaction; gives the answer. */
  ask(words: string | readonly PromptPart[], ms?: number): Promise<Message>
  /** Waits until the client shows something. */
  until(what: string, isSo: (state: SessionState) => boolean, ms?: number): Promise<void>
  /** Waits for a text in the agent's answer. */
  untilSaid(words: string): Promise<void>
  /** Waits until nothing runs, after an entry. */
  untilEnd(after: number, ms?: number): Promise<void>
  /** Waits for a question and answers it. */
  answer(answer: Parameters<Session['answer']>[1]): Promise<void>
  /** The agent's own name for the session, once it is known here. */
  agentSession(): Promise<string>
  /** The newest answer. */
  last(): Message
  /** The last event of a kind that was seen. */
  lastEvent<Type extends Event['type']>(type: Type): EventOf<Type> | undefined
}

const patience = 40_000

/** Opens a session in a client, and keeps it open. */
export function openTalk(client: Client, id: string): Talk {
  const session = client.session(id)
  session.state.subscribe(() => undefined)
  const until: Talk['until'] = async (what, isSo, ms = patience) => {
    const end = performance.now() + ms
    while (!isSo(session.state.get())) {
      if (performance.now() > end) throw new Error(`Not in ${ms / 1000} s: ${what}. ${shownOf(session)}`)
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }
  const last = () => {
    const message = session.messages.get().findLast(({ role }) => role === 'assistant')
    if (message === undefined) throw new Error(`There is no answer. ${shownOf(session)}`)
    return message
  }
  const untilEnd: Talk['untilEnd'] = (after, ms) =>
    until(
      'the end of the interaction',
      ({ seq, phase, view }) => phase === 'live' && seq > after && view.status.running === null,
      ms,
    )
  const lastEvent: Talk['lastEvent'] = type =>
    session.events
      .get()
      .map(({ event }) => event)
      .findLast((event): event is EventOf<typeof type> => event.type === type)
  const say: Talk['say'] = async words => (await session.prompt(words).saved).seq
  return {
    session,
    say,
    async ask(words, ms) {
      await untilEnd((await say(words)) - 1, ms)
      const end = lastEvent('interaction-ended')
      if (end?.outcome === 'failed') throw new Error(`It failed: ${end.reason}`)
      return last()
    },
    until,
    untilSaid: words =>
      until(`"${words}"`, () =>
        session.messages
          .get()
          .some(message => message.role === 'assistant' && wordsOf(message).includes(words)),
      ),
    untilEnd,
    async answer(answer) {
      await until('a question', () => session.pendingApprovals.get().length > 0)
      await session.answer(session.pendingApprovals.get()[0]?.id ?? '', answer)
    },
    async agentSession() {
      await until('the name of its session', ({ facts }) => Boolean(facts?.agentSession))
      return session.facts.get()?.agentSession ?? ''
    },
    last,
    lastEvent,
  }
}

function shownOf({ state, messages }: Session): string {
  const { phase, problem, seq, view, events } = state.get()
  const shown = { phase, problem, seq, status: view.status, messages: messages.get().slice(-2) }
  const told = events.slice(-4).map(({ event }) => event)
  return `Shown: ${JSON.stringify({ ...shown, events: told }).slice(0, 4000)}`
}

/** The words of a message. */
export const wordsOf = ({ parts }: Message): string =>
  parts.map(part => (part.type === 'text' ? part.text : '')).join('')

/** The tool calls of a message. */
export const callsOf = ({ parts }: Message) => parts.filter(part => part.type === 'dynamic-tool')
