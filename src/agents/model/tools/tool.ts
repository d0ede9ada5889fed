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
  /** Aborted when the call must end. */
  readonly signal: AbortSignal
  /** Shows more output of a running command. */
  progress(text: string): Promise<void>
  showTodos(todos: readonly Todo[]): Promise<void>
  /** Asks a person about the call, and returns the answer. */
  askPerson(): Promise<Answer>
  /** Content that was left out of the conversation, by the name in its place; null when there is no such content. */
  recall(name: string): Promise<Json | null>
  /** Gives a task to a subagent, and returns its last text. */
  delegate(task: { readonly description: string; readonly prompt: string }): Promise<string>
}

/** A tool of a model. */
export interface Tool<Input = never> {
  readonly name: ToolName
  /** The description for the model. */
  readonly description: string
  readonly schema: z.core.$ZodType<Input>
  /** Whether a person must approve each call. */
  readonly asks: boolean
  /** Runs the tool. The message of a thrown error is sent to the model. */
  run(input: Input, place: ToolPlace): Promise<Json>
}

/** An error whose message is for the model. */
export class ToolRefusal extends Error {}

/** Makes a tool whose input type is that of its schema. */
export const defineTool = <Input>(tool: Tool<Input>): Tool => tool as unknown as Tool

const longestOutput = 50_000

/** Keeps both ends of a text that is too long for a model. */
export function bounded(text: string, limit = longestOutput): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const left = text.length - 2 * half
  return `${text.slice(0, half)}\n[… ${left} characters are left out here …]\n${text.slice(-half)}`
}
