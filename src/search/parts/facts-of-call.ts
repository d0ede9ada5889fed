import type { SessionSummary } from '../../projections/summary.ts'
import type { Json } from '../../protocol/json.ts'
import { toolOf } from '../../protocol/tool-call/call.ts'
import { resourcesOf } from '../../protocol/tool-call/resources.ts'
import type { IndexedPart } from '../engine.ts'

/** The facts about a call that filters use. */
export type CallFacts = Pick<IndexedPart, 'tool' | 'family' | 'files'>

const mostFiles = 100

/** The tool of a call and the files that it is about, as far as the input shows. */
export function factsOfCall(
  session: Pick<SessionSummary, 'agent' | 'cwd'> | null,
  { toolName: tool, input }: { readonly toolName: string; readonly input: Json },
): CallFacts {
  const call = { tool, input, agent: session?.agent ?? null, cwd: session?.cwd ?? null }
  const files = resourcesOf(call).flatMap(({ key }) => (key.startsWith('file:') ? [key.slice(5)] : []))
  return { tool, family: toolOf(call).family, files: files.slice(0, mostFiles) }
}
