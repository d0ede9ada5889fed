import { Lost, Refusal } from './refusal.ts'
import { protocol } from './service.ts'

/** The agent and the service of a message. */
export interface Subject {
  /** The name of the agent in our settings. */
  readonly name: string
  readonly url: string
  /** Where our token comes from, as text. */
  readonly tokenPlace: string
}

/** The error message for a service, with what to do. */
export function sentenceOf(error: unknown, subject: Subject): string {
  if (error instanceof Refusal) return refused(error, subject)
  if (error instanceof Lost) return unreachable(error.message, subject)
  return unreachable(error instanceof Error ? error.message : String(error), subject)
}

const unreachable = (why: string, { name, url }: Subject) =>
  `The service at ${url} cannot be reached (${why}). Start it, check the network or tunnel, or correct "url" of the agent "${name}".`

/** The message when a running program is given up because its service is gone. */
export const goneForGood = (why: string, { subject: { url }, patienceMs }: Gone) =>
  `The service at ${url} was lost and could not be reached again within ${patienceMs / 1000} seconds (${why}), so its program was abandoned. Check the service and the network, then send the prompt again.`

interface Gone {
  readonly subject: Subject
  readonly patienceMs: number
}

/** The message when the service could not be asked to end a program. */
export const leftRunning = ({ url }: Subject) =>
  `The request to stop the program did not reach the service at ${url}. If no client reconnects, the service stops the program after some minutes.`

const refused = ({ code, message }: Refusal, subject: Subject): string =>
  refusals[code]?.(subject, message) ?? `The service at ${subject.url} refused: ${message || code}`

const refusals: Readonly<Record<string, (subject: Subject, message: string) => string>> = {
  'no-token': (_, message) => message,
  'wrong-token': ({ name, url, tokenPlace }) =>
    `The service at ${url} does not accept the token of the agent "${name}". Put the token of the service into ${tokenPlace}.`,
  'no-service': ({ name, url }, message) =>
    `${url} is not a Dragoman proxy service (${message}). Correct "url" of the agent "${name}".`,
  'wrong-version': ({ url }, message) =>
    `The service at ${url} uses version ${message} of the protocol, but this Dragoman uses version ${protocol}. Update the older one.`,
  'wrong-host': ({ url }) =>
    `The service at ${url} does not accept this host name. Add it to "allowHosts" in the configuration of the service.`,
  'unknown-session': ({ url }) =>
    `The service at ${url} no longer runs this program: the service was restarted, or stopped it. Send another prompt to start it again.`,
  'place-gone': ({ url }, message) =>
    `The service at ${url} no longer has all output of the program, so the program was abandoned. Send another prompt to start it again. (${message})`,
}
