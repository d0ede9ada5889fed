import type { AgentLine } from './messages.ts'
import type { StepOf } from './script.ts'

/** A line of a call, and how long after the call's beginning it comes. */
export interface News {
  readonly line: AgentLine
  readonly at: number
  readonly late: boolean
}

/** All lines of a call: its preliminary results, and its outcome. */
export function newsOf(
  { takes = 0, progress = [], output = null, error, late = false }: StepOf<'tools'>['calls'][number],
  call: string,
  thread: { readonly thread?: string },
): readonly News[] {
  const line: AgentLine =
    error === undefined
      ? { type: 'result', ...thread, call, output }
      : { type: 'failure', ...thread, call, error }
  const part = takes / (progress.length + 1)
  return [
    ...progress.map((piece, index): News => {
      const shown: AgentLine = { type: 'progress', ...thread, call, output: piece }
      return { line: shown, at: part * (index + 1), late: false }
    }),
    { line, at: takes, late },
  ]
}
