import type { Json } from '../../protocol/json.ts'
import type { Answer } from '../agent.ts'
import { objectOf, optionsOf, textOf, type JsonObject, type PermissionOption } from './messages.ts'
import { refuseInput } from '../../protocol/refuse-input.ts'
import { contentOf } from './questions.ts'

/** The answer to a permission request that can no longer be answered by a person. */
export const nobody: Json = { outcome: { outcome: 'cancelled' } }

/**
 * Maps a person's answer to one of the options. The answer can name an option by its id in the input; otherwise it is
 * the option for once. An approval never chooses an option that rejects, and an approval for once never one that the
 * agent remembers.
 */
export function permissionAnswer(params: JsonObject, answer: Answer): Json {
  const chosen = optionNamed(params, answer) ?? fitting(optionsOf(params), answer)
  return chosen === undefined ? nobody : { outcome: { outcome: 'selected', optionId: chosen.optionId } }
}

/** Why a permission request cannot be answered like this; null when it can. */
export function refusePermission(params: JsonObject, answer: Answer): string | null {
  if (answer.input !== undefined) {
    if (optionNamed(params, answer) !== undefined) return null
    const isOption = optionsOf(params).some(({ optionId }) => optionId === wantedIn(answer))
    return isOption ? `This option does not ${wordOf(answer)} the call.` : refuseInput(answer, false)
  }
  if (!answer.approved || fitting(optionsOf(params), answer) !== undefined) return null
  const offered = optionsOf(params).filter(({ kind }) => kind === 'allow_always')
  const inputs = offered.map(({ optionId }) => `{"optionId": ${JSON.stringify(optionId)}}`).join(' or ')
  return inputs === ''
    ? 'The agent does not let you allow this. Deny it.'
    : `The agent does not let you allow this just once. Deny it, or allow it permanently with the input ${inputs}.`
}

const wordOf = ({ approved }: Pick<Answer, 'approved'>) => (approved ? 'allow' : 'reject')

const wantedIn = ({ input }: Answer) => textOf(objectOf(input)['optionId'])

function optionNamed(params: JsonObject, answer: Answer): PermissionOption | undefined {
  const wanted = wantedIn(answer)
  return optionsOf(params).find(
    ({ optionId, kind }) => optionId === wanted && kind.startsWith(`${wordOf(answer)}_`),
  )
}

function fitting(options: readonly PermissionOption[], answer: Answer): PermissionOption | undefined {
  // ACP cannot change an input, and running the original input would ignore the person's change.
  const word = wordOf({ approved: answer.approved && answer.input === undefined })
  const ofKind = (when: string) => narrowest(options.filter(({ kind }) => kind === `${word}_${when}`))
  return (answer.always ? ofKind('always') : undefined) ?? ofKind('once')
}

/** Of several options of one kind, the first that does not cover everything. */
function narrowest(options: readonly PermissionOption[]): PermissionOption | undefined {
  const isWide = ({ optionId }: PermissionOption) => /server|user|global|everything/i.test(optionId)
  return options.find(option => !isWide(option)) ?? options[0]
}

/** Maps a person's answer to the answer of a request for input. */
export function elicitationAnswer(params: JsonObject, { approved, input }: Answer): Json {
  if (!approved) return { action: 'decline' }
  if (params['mode'] === 'url') return { action: 'accept' }
  return { action: 'accept', content: contentOf(params, input) }
}
