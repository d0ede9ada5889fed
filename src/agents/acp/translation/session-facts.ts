import type { Json } from '../../../protocol/json.ts'
import { listOf, objectOf, textOf, type JsonObject } from '../messages.ts'
import { say, type Draft } from './state.ts'

/** The model in use, wherever an agent tells it: in a list of models, or among its options. */
export function modelIn(told: JsonObject): string | undefined {
  const current = textOf(objectOf(told['models'])['currentModelId'])
  return current ?? modelAmong(listOf(told['configOptions']))
}

function modelAmong(options: readonly Json[]): string | undefined {
  const model = options.map(objectOf).find(({ category }) => category === 'model')
  return textOf(model?.['currentValue'])
}

/** Tells who speaks, as far as an answer of the agent says so. */
export function tellSession(draft: Draft, told: JsonObject, more: SessionFacts = {}): void {
  const model = modelIn(told)
  const agentSession = textOf(told['sessionId'])
  const data = {
    ...more,
    ...(agentSession === undefined ? {} : { agentSession }),
    ...(model === undefined ? {} : { model }),
  }
  if (Object.keys(data).length > 0) say(draft, [{ type: 'session', data }])
}

interface SessionFacts {
  readonly agentSession?: string
  readonly cwd?: string
  readonly model?: string
  readonly version?: string
}
