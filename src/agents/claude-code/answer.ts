import { isCut, tooLongToApprove } from '../../protocol/cut-text.ts'
import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { objectsIn, textOf, fieldsOf, type Fields } from './messages.ts'

/** A permission request of Claude Code for a call. */
export interface PermissionRequest {
  readonly id: string
  readonly call: string
  readonly tool: string
  readonly input: Json
  /** Whether the input was too long for memory, so that only a part of it is known. */
  readonly cut: boolean
  /** Suggested rules that would let such calls run without asking. */
  readonly suggestions: readonly Fields[]
}

/** Reads a permission request; null for any other request. */
export function readPermissionRequest(fields: Fields): PermissionRequest | null {
  const id = textOf(fields['request_id'])
  const request = fieldsOf(fields['request'])
  if (id === null || request?.['subtype'] !== 'can_use_tool') return null
  const mayLast = request['suppress_always_allow_rule'] !== true
  return {
    id,
    call: textOf(request['tool_use_id']) ?? '',
    tool: textOf(request['tool_name']) ?? '',
    input: request['input'] ?? {},
    cut: isCut(request['input']),
    suggestions: mayLast ? objectsIn(request['permission_suggestions']) : [],
  }
}

/** A person's answer in Claude Code's terms. */
export function decisionOf(request: PermissionRequest, answer: Answer): Json {
  const { approved, reason, always } = answer
  const toolUseID = request.call
  if (!approved) return { behavior: 'deny', message: reason ?? 'The person said no.', toolUseID }
  // Claude Code runs the input in the answer, and of this one only a part is known.
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
 * The narrowest suggested rules: a whole mode only where no smaller rule was suggested. They also apply to this
 * session, which may not read the settings where they are saved.
 */
function lasting(suggestions: readonly Fields[]): readonly Fields[] {
  const rules = suggestions.filter(({ type }) => type === 'addRules')
  if (rules.length === 0) return suggestions
  return [...rules, ...rules.map(rule => ({ ...rule, destination: 'session' }))]
}

/** The input to run with. Answers to questions are added to the questions. */
function inputOf({ tool, input }: PermissionRequest, changed: Json | undefined): Json {
  if (changed === undefined) return input
  if (tool !== 'AskUserQuestion') return changed
  const asked = fieldsOf(input) ?? {}
  const given = fieldsOf(changed)
  if (given?.['questions'] !== undefined) return changed
  if (given?.['answers'] !== undefined) return { ...asked, ...given }
  if (given !== null) return { ...asked, answers: given }
  const [first] = objectsIn(asked['questions'])
  return { ...asked, answers: { [textOf(first?.['question']) ?? '']: changed } }
}
