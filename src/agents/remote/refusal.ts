/** A service's answer when it refused a request. */
export class Refusal extends Error {
  readonly code: string

  constructor(code: string, message: string) {
    super(message)
    this.code = code
  }
}

/** The service could not be reached for too long. */
export class Lost extends Error {}

/** Why a call failed, in a few words. */
export function whyLost(error: unknown): string {
  const { cause, message, name } = error as Error
  const { code, message: deeper } = (cause ?? {}) as NodeJS.ErrnoException
  if (name === 'TimeoutError') return 'no answer in time'
  return code ?? deeper ?? message
}
