import { redact } from '../../protocol/redact.ts'
import { firstOf } from '../shorten.ts'

/** More than is ever shown: no need to look for secrets beyond it. */
const looked = 2000

/** A text of one line and bounded length, with the secrets in it hidden. */
export function short(text: string, longest = 120): string {
  const clean = redact(text.slice(0, looked)).trim()
  const [line = ''] = clean.split('\n', 1)
  const bare = line.trim().replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
  const isWhole = bare.length <= longest && line.length === clean.length && text.length <= looked
  return isWhole ? bare : `${firstOf(bare, longest - 2).trimEnd()} …`
}
