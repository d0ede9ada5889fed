import { DragomanError } from '../../protocol/error.ts'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { AgentLine, Answer } from '../agent.ts'
import { asObject, objectOf, textOf, type Fields } from '../kit/fields.ts'
import { RpcRefusal, type Answerer } from '../kit/json-rpc.ts'
import { answerTo, isForPerson, isQuestion } from './answers.ts'
import { askName, askNameIn } from './asks.ts'

/** The state of a running connection: running turns and open requests of the app-server. */
export interface Conversation {
  /** The thread of the session. */
  main: string
  /** Running turns, by thread. */
  readonly turns: ReadonlyMap<string, string>
  /** Updates the state from a line of the app-server. */
  readonly update: (line: AgentLine) => void
  /** Answers requests of the app-server, at once or with a person's answer. */
  readonly answerer: Answerer
  /** Whether a request is answered with text that the person enters. */
  takesInput(approval: ApprovalId): boolean
  /** Sends a person's answer. */
  answer(approval: ApprovalId, answer: Answer): void
}

interface Open {
  readonly method: string
  readonly params: Fields
  readonly resolve: (result: Json) => void
}

/** Keeps the state of a connection. */
export function createConversation(): Conversation {
  const turns = new Map<string, string>()
  const open = new Map<string, Open>()
  const conversation: Conversation = {
    main: '',
    turns,
    update({ parsed }) {
      const message = asObject(parsed)
      const { method } = message
      // An interrupt may come between the response to our request and the notification that the turn has started.
      const begun = method === undefined ? textOf(objectOf(objectOf(message, 'result'), 'turn'), 'id') : ''
      if (begun !== '') turns.set(conversation.main, begun)
      const params = objectOf(message, 'params')
      if (method === 'turn/started')
        turns.set(textOf(params, 'threadId'), textOf(objectOf(params, 'turn'), 'id'))
      if (method === 'turn/completed') turns.delete(textOf(params, 'threadId'))
      if (method === 'serverRequest/resolved') open.delete(askName(params['requestId'] ?? null))
    },
    answerer({ id, method, params }) {
      if (!isForPerson(method)) return ownAnswer(method)
      // The person sees only the first request of this name, so their answer must not go to another one.
      if (open.has(askName(id)))
        throw new RpcRefusal(invalidParams, `The request ${askName(id)} is already open.`)
      const { promise, resolve } = Promise.withResolvers<Json>()
      open.set(askName(id), { method, params: asObject(params), resolve })
      return promise
    },
    takesInput(approval) {
      const asked = open.get(askNameIn(approval))
      return asked !== undefined && isQuestion(asked.method, asked.params)
    },
    answer(approval, answer) {
      const name = askNameIn(approval)
      const asked = open.get(name)
      if (!asked) throw new DragomanError('approval-settled', 'Codex no longer waits for this answer.')
      open.delete(name)
      asked.resolve(answerTo(asked.method, asked.params, answer))
    },
  }
  return conversation
}

const invalidParams = -32602

/** Answers requests that need no person. We offer no tools and have no logins, so those requests are refused. */
function ownAnswer(method: string): Promise<Json> | undefined {
  if (method === 'currentTime/read') return Promise.resolve({ currentTimeAt: Math.floor(Date.now() / 1000) })
  if (method !== 'item/tool/call') return undefined
  const contentItems = [{ type: 'inputText', text: 'There is no such tool here.' }]
  return Promise.resolve({ contentItems, success: false })
}
