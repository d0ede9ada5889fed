import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { RpcRefusal, type IncomingRequest } from '../kit/rpc-message.ts'
import { idWord, objectOf, type JsonObject } from './messages.ts'
import { elicitationAnswer, nobody, permissionAnswer, refusePermission } from './permission-answer.ts'

/** The requests of an agent that a person answers. */
export interface PersonQuestions {
  /** Takes up a request; undefined when it is not one for a person. */
  take(request: IncomingRequest): Promise<Json> | undefined
  /** Why a question cannot be answered like this; null when it can. */
  refusal(word: string, answer: Answer): string | null
  /** Gives a person's answer. A question that is open no more needs none. */
  answer(word: string, answer: Answer): void
  /** Answers that nobody will answer: one request, or all. */
  withdraw(word?: string): void
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

/** Keeps the questions of an agent until a person has answered them. */
export function createPersonQuestions(): PersonQuestions {
  const open = new Map<string, Open>()
  const settle = (word: string, result: (question: Open) => Json) => {
    const question = open.get(word)
    open.delete(word)
    question?.resolve(result(question))
  }
  return {
    take({ id, method, params }) {
      const kind = kinds.get(method)
      if (kind === undefined) return undefined
      const word = idWord(id)
      if (open.has(word)) throw new RpcRefusal(invalidParams, `The request ${word} is already open.`)
      return new Promise<Json>(resolve => {
        open.set(word, { params: objectOf(params), kind, resolve })
      })
    },
    refusal(word, answer) {
      const question = open.get(word)
      return question === undefined ? null : question.kind.refusal(question.params, answer)
    },
    answer: (word, answer) => settle(word, ({ kind, params }) => kind.result(params, answer)),
    withdraw(word) {
      const words = word === undefined ? [...open.keys()] : [word]
      for (const each of words) settle(each, ({ kind }) => kind.withdrawn)
    },
  }
}
