import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { objectOf, optionsOf, textOf, type JsonObject, type PermissionOption } from './messages.ts'
import { contentOf } from './questions.ts'

/** What a request for permission is answered with when nobody can answer any more. */
export const nobody: Json = { outcome: { outcome: 'cancelled' } }

/**
 * Turns a person's answer into one of the options. Which one can be said by its id in the input; otherwise yes and no, once
 * and always, choose the option that fits best.
 */
export function permissionAnswer(params: JsonObject, answer: Answer): Json {
  const options = optionsOf(params)
  const wanted = textOf(objectOf(answer.input)['optionId'])
  const chosen = options.find(({ optionId }) => optionId === wanted) ?? fitting(options, answer)
  return chosen === undefined ? nobody : { outcome: { outcome: 'selected', optionId: chosen.optionId } }
}

/** Whether an input is the choice of one of the options. */
export function namesOption(params: JsonObject, input: Json): boolean {
  const wanted = textOf(objectOf(input)['optionId'])
  return optionsOf(params).some(({ optionId }) => optionId === wanted)
}

function fitting(options: readonly PermissionOption[], answer: Answer): PermissionOption | undefined {
  // ACP cannot change an input, and to run the one that a person changed would be against their will.
  const isAllowed = answer.approved && answer.input === undefined
  const word = isAllowed ? 'allow' : 'reject'
  const [first, second] = answer.always ? ['always', 'once'] : ['once', 'always']
  const ofKind = (when: string) => narrowest(options.filter(({ kind }) => kind === `${word}_${when}`))
  return ofKind(first ?? '') ?? (isAllowed ? ofKind(second ?? '') : ofKind('once'))
}

/** Of several options of one kind, the first that is not for everything. */
function narrowest(options: readonly PermissionOption[]): PermissionOption | undefined {
  const isWide = ({ optionId }: PermissionOption) => /server|user|global|everything/i.test(optionId)
  return options.find(option => !isWide(option)) ?? options[0]
}

/** Turns a person's answer into that to a request for input. */
export function elicitationAnswer(params: JsonObject, { approved, input }: Answer): Json {
  if (!approved) return { action: 'decline' }
  if (params['mode'] === 'url') return { action: 'accept' }
  return { action: 'accept', content: contentOf(params, input) }
}
