import {
  customQuestions,
  takeAnswer,
  type ChangeBatchOptions,
  type CustomStrategies,
  type History,
  type ManipulationEvent,
} from '../../context/index.ts'

/** A question to strategies, and what runs them. */
export interface Asking {
  readonly history: History
  /** The part of the call, which has a result, or whose interaction has ended. */
  readonly call: string
  readonly when?: 'custom' | 'optimise'
  readonly options: ChangeBatchOptions
  readonly custom: CustomStrategies
}

/** Asks the custom strategies of a call's tool. Returns the changes that they may make, and the refusals of the others. */
export async function askStrategies(asking: Asking): Promise<readonly ManipulationEvent[]> {
  const { history, call, when = 'custom', options, custom } = asking
  const events: ManipulationEvent[] = []
  for (const question of customQuestions(history, call, options, when))
    events.push(...takeAnswer(history, question, await custom.ask(question), options))
  return events
}
