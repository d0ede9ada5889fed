import * as z from 'zod/mini'
import { DragomanError } from '../../protocol/error.ts'
import type { Json } from '../../protocol/json.ts'

const text = (message: string) => z.string(message).check(z.minLength(1, message))
const seconds = 'a number of seconds greater than 0'
const token = 'the place of the token, as {"env": "NAME"} or {"file": "PATH"}, never the token itself'
/** A token in place of a variable's name is refused here, because the name is shown. */
const variable = z.string(token).check(z.regex(/^[A-Za-z_][A-Za-z0-9_]{0,99}$/, token))
const folders =
  'full paths of local folders and the matching remote folders, as in {"/home/me/code": "/srv/code"}'
const path = z.string(folders).check(z.regex(/^\//, folders))

/** The settings of one remote agent. The text after each setting completes the sentence "It must be …". */
export const remoteSettingsSchema = z.strictObject({
  kind: z.literal('remote', '"remote"'),
  url: z
    .string('the URL of a service')
    .check(
      z.regex(/^https?:\/\/[^\s/@?#]+(\/[^\s?#]*)?$/, 'the URL of a service, such as http://127.0.0.1:4500'),
    ),
  agent: text('the agent whose program runs there, such as "claude-code"'),
  program: z.optional(text('the name of a program in the configuration of the service')),
  token: z.union([z.strictObject({ env: variable }), z.strictObject({ file: text(token) })], token),
  folders: z.optional(z.record(path, path, folders)),
  options: z.optional(z.record(z.string(), z.custom<Json>(), 'options of the agent by name')),
  title: z.optional(text('a display name')),
  patienceSeconds: z.optional(z.number(seconds).check(z.gt(0, seconds), z.lte(86_400, seconds))),
  unencrypted: z.optional(z.boolean('true or false')),
})

/** The settings of one remote agent. */
export type RemoteSettings = Readonly<z.infer<typeof remoteSettingsSchema>>

/** Refuses to send a token and all lines unencrypted to another machine, unless the settings allow it. */
export function checkAddress(name: string, { url, unencrypted = false }: RemoteSettings): void {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || unencrypted || /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return
  throw new DragomanError(
    'invalid-input',
    `The agent "${name}" would send its token and all messages unencrypted to ${url}. Use an https URL, or a tunnel to 127.0.0.1. If the network is safe, add "unencrypted": true.`,
  )
}
