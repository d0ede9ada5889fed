import type { z } from 'zod/mini'
import type { Todo } from '../../../protocol/data-parts.ts'
import type { Json } from '../../../protocol/json.ts'
import type { Answer } from '../../agent.ts'
import type { Settings } from '../settings.ts'
import type { ToolName } from './names.ts'

/** Where a call runs, and what it can do there. */
export interface ToolPlace {
  readonly cwd: string
  /** The folder for process records; closed to tools. */
  readonly dataFolder: string
  readonly settings: Settings
  readonly call: string
  /** Aborted when the call is to end. */
  readonly signal: AbortSignal
  /** Shows more of what a running command writes. */
  progress(text: string): Promise<void>
  showTodos(todos: readonly Todo[]): Promise<void>
  /** Puts the call to a person, and gives the answer. */
  askPerson(): Promise<Answer>
  /** What was left out of the conversation, by the name that stands in its place; null when there is no such thing. */
  recall(name: string): Promise<Json | null>
  /** Lets a subagent do something, and gives its last words. */
  delegate(task: { readonly description: string; readonly prompt: string }): Promise<string>
}

/** A tool of a model. */
export interface Tool<Input = never> {
  readonly name: ToolName
  /** What the model is told of it. */
  readonly description: string
  readonly schema: z.core.$ZodType<Input>
  /** Whether a person must allow each call. */
  readonly asks: boolean
  /** Does it. What it throws is told to the model as its sentence. */
  run(input: Input, place: ToolPlace): Promise<Json>
}

/** A reason that is told to the model. */
export class ToolRefusal extends Error {}

/** Makes a tool, its input's type being that of its schema. */
export const defineTool = <Input>(tool: Tool<Input>): Tool => tool as unknown as Tool

const longestOutput = 50_000

/** Keeps both ends of a text that is too long for a model. */
export function bounded(text: string, limit = longestOutput): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${left} characters are left out here …]\n${text.slice(-half)}`
}
