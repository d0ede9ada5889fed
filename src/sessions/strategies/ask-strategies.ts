import {
  customQuestions,
  takeAnswer,
  type BenchOptions,
  type CustomStrategies,
  type History,
  type ManipulationEvent,
} from '../../context/index.ts'

/** What is asked, of what, and who answers. */
export interface Asking {
  readonly history: History
  /** The call's part: its result is there, or its interaction has ended. */
  readonly call: string
  readonly when?: 'custom' | 'optimise'
  readonly options: BenchOptions
  readonly custom: CustomStrategies
}

/** Asks the strategies of one's own of a call's tool; gives what they may do, and the refusal of what they may not. */
export async function askStrategies(asking: Asking): Promise<readonly ManipulationEvent[]> {
  const { history, call, when = 'custom', options, custom } = asking
  const events: ManipulationEvent[] = []
  for (const question of customQuestions(history, call, options, when))
    events.push(...takeAnswer(history, question, await custom.ask(question), options))
  return events
}
