import type { Op } from '../kit/parts.ts'

/** Something worth a line that is no part of the answer itself. */
export function noticeOp(level: 'info' | 'warning' | 'error', code: string, message: string): Op {
  return { type: 'show', chunk: { type: 'data-notice', data: { level, code, message } } }
}
