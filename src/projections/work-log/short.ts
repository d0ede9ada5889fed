import { redact } from '../../protocol/redact.ts'
import { firstOf, lastOf } from '../shorten.ts'

/** More than is ever shown: no need to look for secrets beyond it. */
const looked = 2000

/** A text of one line and bounded length, with the secrets in it hidden. */
export function short(text: string, longest = 120): string {
  const clean = redact(text.slice(0, looked)).trim()
  const [line = ''] = clean.split('\n', 1)
  const bare = withoutControls(line.trim())
  const isWhole = bare.length <= longest && line.length === clean.length && text.length <= looked
  return isWhole ? bare : `${firstOf(bare, longest - 2).trimEnd()} …`
}

/** A path of bounded length, with the secrets in it hidden: of a long one the end, which names the file. */
export function shortPath(path: string, longest: number): string {
  if (path.length <= longest) return short(path, longest)
  const end = lastOf(withoutControls(redact(lastOf(path, looked))), longest - 2)
  const slash = end.indexOf('/')
  return slash === -1 || slash === end.length - 1 ? `…${end}` : `…${end.slice(slash)}`
}

/** Replaces tabs and line breaks by a space, and every other control character by its picture. Other invisible characters stay: the program that shows the text must make them visible. */
const withoutControls = (text: string) => text.replaceAll(/[\t\n]+|\p{Cc}/gu, pictureOf)

function pictureOf(control: string): string {
  const code = control.charCodeAt(0)
  if (code === 0x09 || code === 0x0a) return ' '
  if (code < 0x20) return String.fromCharCode(0x2400 + code)
  return code === 0x7f ? '␡' : '�'
}
