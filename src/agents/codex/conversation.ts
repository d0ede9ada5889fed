import type { Raw } from '../../protocol/event.ts'
import { DragomanError } from '../../protocol/error.ts'
import type { ApprovalId } from '../../protocol/ids.ts'
import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { asObject, objectOf, textOf, type Fields } from '../kit/fields.ts'
import type { Answerer } from '../kit/json-rpc.ts'
import { parseJson } from '../kit/parse-json.ts'
import { RpcRefusal } from '../kit/rpc-message.ts'
import { answerTo, isForPerson, isQuestion } from './answers.ts'
import { askName, askNameIn } from './asks.ts'

/** What must be known of a connection while it runs: which turns are at work, and what was asked. */
export interface Conversation {
  /** The thread that we talk in. */
  main: string
  /** Turns at work, by thread. */
  readonly turns: ReadonlyMap<string, string>
  /** Takes note of a line of the app-server. */
  readonly hear: (raw: Raw) => void
  /** Answers what the app-server asks: by itself, or when a person has. */
  readonly answerer: Answerer
  /** Whether what was asked is answered with words of a person's own. */
  takesInput(approval: ApprovalId): boolean
  /** Hands over a person's answer. */
  answer(approval: ApprovalId, answer: Answer): void
}

interface Open {
  readonly method: string
  readonly params: Fields
  readonly resolve: (result: Json) => void
}

const noted = [
  '"method":"turn/started"',
  '"method":"turn/completed"',
  '"method":"serverRequest/resolved"',
  '"result":{"turn":',
]

/** Keeps track of a connection. */
export function createConversation(): Conversation {
  const turns = new Map<string, string>()
  const open = new Map<string, Open>()
  const conversation: Conversation = {
    main: '',
    turns,
    hear({ raw }) {
      // Only few lines matter here, and each is read by the translation anyhow.
      if (!noted.some(mark => raw.includes(mark))) return
      const line = asObject(parseJson(raw))
      const params = objectOf(line, 'params')
      const threadId = textOf(params, 'threadId')
      // An interrupt may come between the answer to our request and the news that the turn has begun.
      const answered = textOf(objectOf(objectOf(line, 'result'), 'turn'), 'id')
      if (answered !== '') turns.set(conversation.main, answered)
      if (line['method'] === 'turn/started') turns.set(threadId, textOf(objectOf(params, 'turn'), 'id'))
      if (line['method'] === 'turn/completed') turns.delete(threadId)
      if (line['method'] === 'serverRequest/resolved') open.delete(askName(params['requestId'] ?? null))
    },
    answerer({ id, method, params }) {
      if (!isForPerson(method)) return ownAnswer(method)
      // A person must not answer what they were not shown: the question that has the name stays the one that is asked.
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

/** What needs no person. We offer no tools and hold no logins, so such requests are turned down. */
function ownAnswer(method: string): Promise<Json> | undefined {
  if (method === 'currentTime/read') return Promise.resolve({ currentTimeAt: Math.floor(Date.now() / 1000) })
  if (method !== 'item/tool/call') return undefined
  const contentItems = [{ type: 'inputText', text: 'There is no such tool here.' }]
  return Promise.resolve({ contentItems, success: false })
}
