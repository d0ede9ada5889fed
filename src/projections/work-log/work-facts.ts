import type { Thread } from '../../protocol/chunk.ts'
import type { FileEdit } from '../../protocol/tool-call/file-edit.ts'
import type { LineRange } from '../../protocol/tool-call/resources.ts'
import type { ToolEffect, ToolFamily } from '../../protocol/known-tools.ts'
import type { CallApproval } from '../tool-calls.ts'
import type { Moment } from '../moment.ts'

/** A file that a call is about. */
export interface WorkFile {
  /** As a person names it: relative to the session's folder if it is inside. */
  readonly path: string
  /** The key that every call about the same file has. */
  readonly key: string
  readonly kind?: FileEdit['kind']
  /** Where it is now, in words and as a key. */
  readonly movedTo?: string
  readonly movedKey?: string
  readonly added?: number
  readonly removed?: number
}

/** Some of a call's parameters, by name. */
export type Parameters = Readonly<Record<string, string | number | boolean>>

/** How far a plan is. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** What a call is about, from its name and input alone: short, without secrets, plain JSON. */
export interface WorkSubject {
  readonly tool: string
  readonly family: ToolFamily
  readonly effect: ToolEffect
  /** A command, a pattern, a question, a task; empty where nothing is known. */
  readonly about: string
  /** The title from an agent that does not report the command. */
  readonly title?: string
  /** The key parameters: only those that its kind of tool is known to have. */
  readonly parameters: Parameters
  readonly files: readonly WorkFile[]
  /** How many more files there are. */
  readonly moreFiles?: number
  readonly range?: LineRange
  /** The folder that is searched, unless it is the session's own. */
  readonly folder?: string
  /** The subagent that gets a task. */
  readonly who?: string
  readonly plan?: Progress
  /** Whether an answer is not to be shown. */
  readonly secret?: true
}

/** How a tool call went; `partial` when only some of it was done or shown. */
export type WorkOutcome = 'pending' | 'success' | 'failure' | 'partial'

/** The outcome of a call, from its result alone: short, without secrets, plain JSON. */
export interface WorkResult {
  readonly outcome: Exclude<WorkOutcome, 'pending'>
  readonly exit?: number
  /** The lines that were read, and how many there are. */
  readonly lines?: { readonly from: number; readonly to: number; readonly total: number | null }
  readonly patch?: { readonly added: number; readonly removed: number }
  readonly created?: boolean
  /** The number of hits that the tool reports, or else the number of lines in its output. */
  readonly hits?: number
  readonly answer?: string
  readonly error?: string
  readonly plan?: Progress
  readonly interrupted?: true
  /** Whether the agent says that it was not allowed. */
  readonly denied?: true
  /** Whether it continues in the background. */
  readonly background?: true
}

/** The approval of a call; a null time is before the entries that are known here. */
export type WorkApproval = Omit<CallApproval, 'asked'> & { readonly asked: Moment | null }

/** A tool call and its result, as far as they came. */
export interface WorkPair {
  readonly toolCallId: string
  readonly message: string
  readonly thread: Thread
  readonly interaction: string | null
  readonly start: Moment | null
  readonly ready: Moment | null
  readonly end: Moment | null
  readonly closed: boolean
  readonly approval: WorkApproval | null
  readonly duration: number | null
  readonly subject: WorkSubject
  readonly result: WorkResult | null
}
