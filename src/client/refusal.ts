import { DragomanError, type ErrorCode } from '../protocol/error.ts'

/** The server could not be reached, or a program between it and us replied instead. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
  /** The HTTP status of that reply; null without a reply. */
  readonly status: number | null

  constructor(message: string, status: number | null, cause?: unknown) {
    super(message, { cause })
    this.status = status
  }
}

interface Problem {
  readonly code?: ErrorCode
  readonly [detail: string]: unknown
}

/** The error of a failed response: our problem JSON becomes the same error as on the server. */
export async function readRefusal(response: Response): Promise<DragomanError | UnreachableError> {
  const problem = Object(await response.json().catch(() => {})) as Problem
  if (problem.code !== undefined) return new DragomanError(problem.code, String(problem['detail']), problem)
  return new UnreachableError(`The server answered with status ${response.status}.`, response.status)
}

/** The beginnings of codes for problems of the server, not of the call. */
const passing = /^(drain|journal|data|writer|save|disk|too-many)/

/** Whether the same call may well succeed later, without anybody changing it. */
export function isPassing(error: unknown): boolean {
  if (error instanceof DragomanError) return passing.test(error.code)
  if (!(error instanceof UnreachableError)) return false
  const { status } = error
  return status === null || status >= 500 || status === 408 || status === 429
}
