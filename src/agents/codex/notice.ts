import type { DataParts } from '../../protocol/data-parts.ts'
import type { Op } from '../kit/parts.ts'

/** A remark for people. */
export function notice(level: DataParts['notice']['level'], code: string, message: string): Op {
  return { type: 'show', chunk: { type: 'data-notice', data: { level, code, message } } }
}
