import { parseJson } from '../kit/parse-json.ts'
import { asObject, numberOf, objectOf, textOf, textOrNull, type Fields } from '../kit/fields.ts'

/** What went wrong in a turn: a kind for programs, a sentence for people. */
export function failureOf(error: Fields): { readonly kind: string; readonly message: string } {
  const [kind, status] = kindOf(error)
  const message = errorText(error)
  return { kind, message: status === 0 ? message : `${message} (HTTP ${status})` }
}

/** The sentence in an error. A refused request has the provider's complete response there, with the sentence inside. */
export function errorText(error: Fields): string {
  const message = textOf(error, 'message')
  const body = message.startsWith('{') ? asObject(parseJson(message)) : {}
  const inner = textOf(objectOf(body, 'error'), 'message') || textOf(body, 'message')
  const details = textOrNull(error, 'additionalDetails')
  const sentence = inner || message || 'Codex reported an error and did not say which.'
  return details === null ? sentence : `${sentence} (${details})`
}

/** The kind of an error, and its HTTP status. The app-server reports the kind as a string, or as an object with one field. */
function kindOf(error: Fields): readonly [kind: string, status: number] {
  const info = error['codexErrorInfo']
  if (typeof info === 'string') return [info, 0]
  const [entry] = Object.entries(asObject(info))
  if (entry === undefined) return ['other', 0]
  return [entry[0], numberOf(asObject(entry[1]), 'httpStatusCode')]
}

/** The output of a command and its exit code; without a code, that it failed. */
export function withExitCode(output: string, code: number | null): string {
  const ending = code === null ? 'It failed.' : `Exit code ${code}.`
  return output === '' ? ending : `${output}${output.endsWith('\n') ? '' : '\n'}${ending}`
}
