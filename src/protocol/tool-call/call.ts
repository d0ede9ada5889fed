import type { Json } from '../json.ts'
import { toolNamed, type ToolFacts } from '../known-tools.ts'

/** A tool call as far as its readers need it. */
export interface SomeCall {
  readonly tool: string
  readonly input: Json | undefined
  /** The agent that made it; null if unknown. */
  readonly agent?: string | null
  /** The folder that its paths and commands start from; paths stay as they are without it. */
  readonly cwd?: string | null
}

/** What the tool of a call is. */
export const toolOf = ({ tool, agent = null }: SomeCall): ToolFacts => toolNamed(tool, agent)
