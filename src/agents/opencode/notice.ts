import type { DataParts } from '../../protocol/data-parts.ts'
import type { Op } from '../kit/parts.ts'

/** A remark for people; one with an id takes the place of the one before. */
export function notice(level: DataParts['notice']['level'], code: string, message: string, id?: string): Op {
  const data = { level, code, message }
  return { type: 'show', chunk: { type: 'data-notice', ...(id === undefined ? {} : { id }), data } }
}
