import type { AgentLine } from './messages.ts'
import type { StepOf } from './script.ts'

/** A line that a call brings, and how long after it began. */
export interface News {
  readonly line: AgentLine
  readonly at: number
  readonly late: boolean
}

/** All that a call brings: something of its result while it runs, and how it ends. */
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
      const told: AgentLine = { type: 'progress', ...thread, call, output: piece }
      return { line: told, at: part * (index + 1), late: false }
    }),
    { line, at: takes, late },
  ]
}
