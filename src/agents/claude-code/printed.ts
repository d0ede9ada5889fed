import type { Op } from '../kit/parts.ts'
import { noticeOp } from './notice.ts'

const streams =
  /^(?:<(bash|local-command)-stdout>([\s\S]*?)<\/\1-stdout>)?\s*(?:<(bash|local-command)-stderr>([\s\S]*?)<\/\3-stderr>)?$/

/** What a command of a person printed, told to the model between marks; null for other words. Of what is empty, nothing. */
export function printedIn(text: string): readonly Op[] | null {
  const [, out, output, err, error] = streams.exec(text.trim()) ?? []
  if (out === undefined && err === undefined) return null
  return [...told('info', 'local-command', output), ...told('warning', 'local-command-error', error)]
}

function told(level: 'info' | 'warning', code: string, text = ''): readonly Op[] {
  return text.trim() === '' ? [] : [noticeOp(level, code, text.trim())]
}
