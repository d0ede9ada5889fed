import type { Json } from 'dragoman'
import type { RowOf } from './row.ts'

/** The name and task of a subagent: from its report, or from the call that started it. */
export function subagentName({
  report,
  part,
  starts,
}: Pick<RowOf<'subagent'>, 'report' | 'part' | 'starts'>): {
  readonly name: string
  readonly description: string
} {
  // A subagent without a name is reported under the tool's name.
  if (report !== null)
    return {
      name: report.agent === part?.toolName ? 'Subagent' : report.agent,
      description: report.description,
    }
  const input = part?.input
  const description = fieldOf(input, 'description') ?? fieldOf(input, 'prompt') ?? ''
  return { name: part?.toolName ?? starts, description }
}

function fieldOf(value: Json | undefined, name: string): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null
  const field = (value as Readonly<Record<string, Json>>)[name]
  return typeof field === 'string' ? field : null
}
