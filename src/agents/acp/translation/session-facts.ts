import type { Json } from '../../../protocol/json.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../messages.ts'
import { emit, type Draft } from './state.ts'

/** The model in use, wherever an agent reports it: in a list of models, or among its options. */
export function modelIn(reply: JsonObject): string | undefined {
  const current = textOf(objectOf(reply['models'])['currentModelId'])
  return current ?? modelAmong(listOf(reply['configOptions']))
}

function modelAmong(options: readonly Json[]): string | undefined {
  const model = options.map(objectOf).find(({ category }) => category === 'model')
  return textOf(model?.['currentValue'])
}

/** Reports agent and model, as far as an answer of the agent has them. */
export function reportSession(draft: Draft, reply: JsonObject, more: SessionFacts = {}): void {
  const model = modelIn(reply)
  const agentSession = textOf(reply['sessionId'])
  const data = {
    ...more,
    ...(agentSession === undefined ? {} : { agentSession }),
    ...(model === undefined ? {} : { model }),
  }
  if (Object.keys(data).length > 0) emit(draft, [{ type: 'session', data }])
}

interface SessionFacts {
  readonly agentSession?: string
  readonly cwd?: string
  readonly model?: string
  readonly version?: string
}
