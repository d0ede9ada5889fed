import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { RpcRefusal, type IncomingRequest } from '../kit/json-rpc.ts'
import { idWord, objectOf, type JsonObject } from './messages.ts'
import { elicitationAnswer, nobody, permissionAnswer, refusePermission } from './permission-answer.ts'

/** The agent's requests that a person answers. */
export interface PersonQuestions {
  /** Adds a request; returns undefined when it is not for a person. */
  take(request: IncomingRequest): Promise<Json> | undefined
  /** Why a question cannot be answered like this; null when it can. */
  refusal(id: string, answer: Answer): string | null
  /** Sends a person's answer, unless the question is already closed. */
  answer(id: string, answer: Answer): void
  /** Cancels one request, or all. */
  withdraw(id?: string): void
}

interface Open {
  readonly params: JsonObject
  readonly kind: Kind
  readonly resolve: (result: Json) => void
}

interface Kind {
  readonly result: (params: JsonObject, answer: Answer) => Json
  readonly withdrawn: Json
  readonly refusal: (params: JsonObject, answer: Answer) => string | null
}

const kinds = new Map<string, Kind>([
  ['session/request_permission', { result: permissionAnswer, withdrawn: nobody, refusal: refusePermission }],
  ['elicitation/create', { result: elicitationAnswer, withdrawn: { action: 'cancel' }, refusal: () => null }],
])

const invalidParams = -32602

/** Keeps the agent's questions until a person has answered them. */
export function createPersonQuestions(): PersonQuestions {
  const open = new Map<string, Open>()
  const settle = (id: string, result: (question: Open) => Json) => {
    const question = open.get(id)
    open.delete(id)
    question?.resolve(result(question))
  }
  return {
    take({ id: request, method, params }) {
      const kind = kinds.get(method)
      if (kind === undefined) return undefined
      const id = idWord(request)
      if (open.has(id)) throw new RpcRefusal(invalidParams, `The request ${id} is already open.`)
      return new Promise<Json>(resolve => {
        open.set(id, { params: objectOf(params), kind, resolve })
      })
    },
    refusal(id, answer) {
      const question = open.get(id)
      return question === undefined ? null : question.kind.refusal(question.params, answer)
    },
    answer: (id, answer) => settle(id, ({ kind, params }) => kind.result(params, answer)),
    withdraw(id) {
      const ids = id === undefined ? [...open.keys()] : [id]
      for (const each of ids) settle(each, ({ kind }) => kind.withdrawn)
    },
  }
}
