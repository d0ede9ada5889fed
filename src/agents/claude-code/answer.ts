import { isCut, tooLongToApprove } from '../../protocol/cut-text.ts'
import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { allWordsOf, textOf, wordsOf, type Words } from './messages.ts'

/** What Claude Code wants to know before it runs a call. */
export interface PermissionRequest {
  readonly id: string
  readonly call: string
  readonly tool: string
  readonly input: Json
  /** Whether the input was too long for memory, so that only a part of it is known. */
  readonly cut: boolean
  /** Rules that would let it run such calls without asking. */
  readonly suggestions: readonly Words[]
}

/** Reads a request for a permission; null for any other. */
export function readPermissionRequest(words: Words): PermissionRequest | null {
  const id = textOf(words['request_id'])
  const request = wordsOf(words['request'])
  if (id === null || request?.['subtype'] !== 'can_use_tool') return null
  const mayLast = request['suppress_always_allow_rule'] !== true
  return {
    id,
    call: textOf(request['tool_use_id']) ?? '',
    tool: textOf(request['tool_name']) ?? '',
    input: request['input'] ?? {},
    cut: isCut(request['input']),
    suggestions: mayLast ? allWordsOf(request['permission_suggestions']) : [],
  }
}

/** A person's answer in Claude Code's terms. */
export function decisionOf(request: PermissionRequest, answer: Answer): Json {
  const { approved, reason, always } = answer
  const toolUseID = request.call
  if (!approved) return { behavior: 'deny', message: reason ?? 'The person said no.', toolUseID }
  // Claude Code runs the input that the answer has, and of this one only a part is known.
  if (request.cut) return { behavior: 'deny', message: tooLongToApprove, toolUseID }
  const updatedPermissions = always ? lasting(request.suggestions) : []
  return {
    behavior: 'allow',
    updatedInput: inputOf(request, answer.input),
    ...(updatedPermissions.length === 0 ? {} : { updatedPermissions }),
    toolUseID,
  }
}

/**
 * The narrowest rules that were suggested: a whole mode only where nothing smaller was. They hold for this session too, which
 * may be one that does not read the settings where they are kept.
 */
function lasting(suggestions: readonly Words[]): readonly Words[] {
  const rules = suggestions.filter(({ type }) => type === 'addRules')
  if (rules.length === 0) return suggestions
  return [...rules, ...rules.map(rule => ({ ...rule, destination: 'session' }))]
}

/** The input to run with. Answers to questions go in beside the questions. */
function inputOf({ tool, input }: PermissionRequest, changed: Json | undefined): Json {
  if (changed === undefined) return input
  if (tool !== 'AskUserQuestion') return changed
  const asked = wordsOf(input) ?? {}
  const given = wordsOf(changed)
  if (given?.['questions'] !== undefined) return changed
  if (given?.['answers'] !== undefined) return { ...asked, ...given }
  if (given !== null) return { ...asked, answers: given }
  const [first] = allWordsOf(asked['questions'])
  return { ...asked, answers: { [textOf(first?.['question']) ?? '']: changed } }
}
