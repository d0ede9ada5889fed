import { Lost, Refusal } from './refusal.ts'
import { protocol } from './service.ts'

/** Of which agent and service is spoken. */
export interface Subject {
  /** The name of the agent in our settings. */
  readonly name: string
  readonly url: string
  /** Where our token comes from, in words. */
  readonly tokenPlace: string
}

/** What went wrong with a service, and what to do. */
export function sentenceOf(error: unknown, subject: Subject): string {
  if (error instanceof Refusal) return refused(error, subject)
  if (error instanceof Lost) return unreachable(error.message, subject)
  return unreachable(error instanceof Error ? error.message : String(error), subject)
}

const unreachable = (why: string, { name, url }: Subject) =>
  `The service at ${url} cannot be reached (${why}). Start it there, see that the network or tunnel to it works, or correct "url" of the agent "${name}".`

/** What is said when a running program is given up because its service is gone. */
export const goneForGood = (why: string, { subject: { url }, patienceMs }: Gone) =>
  `The service at ${url} was lost and not reached again within ${patienceMs / 1000} seconds (${why}), so the program there was given up. Look whether the service and the network run, then prompt again.`

interface Gone {
  readonly subject: Subject
  readonly patienceMs: number
}

/** What is said when a program could not be told to end. */
export const leftRunning = ({ url }: Subject) =>
  `The service at ${url} could not be told to end the program. It ends it by itself when nobody has read it for a while.`

const refused = ({ code, message }: Refusal, subject: Subject): string =>
  refusals[code]?.(subject, message) ?? `The service at ${subject.url} refuses: ${message || code}`

const refusals: Readonly<Record<string, (subject: Subject, message: string) => string>> = {
  'no-token': (_, message) => message,
  'wrong-token': ({ name, url, tokenPlace }) =>
    `The service at ${url} does not accept the token of the agent "${name}". Put the token of the service into ${tokenPlace}.`,
  'no-service': ({ name, url }, message) =>
    `What answers at ${url} is no service of programs (${message}). Correct "url" of the agent "${name}".`,
  'wrong-version': ({ url }, message) =>
    `The service at ${url} speaks version ${message} of the protocol, and this Dragoman version ${protocol}. Update the older of the two.`,
  'wrong-host': ({ url }) =>
    `The service at ${url} is not called by that name. Add the name to "allowHosts" in its configuration.`,
  'unknown-session': ({ url }) =>
    `The service at ${url} no longer has this program: the service was started anew, or had ended it. Prompt again to start another.`,
  'place-gone': ({ url }, message) =>
    `The service at ${url} no longer has all that the program said, so the program was given up. Prompt again to start another. (${message})`,
}
