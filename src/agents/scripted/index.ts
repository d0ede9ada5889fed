import type { Agent } from '../agent.ts'
import { about } from './about.ts'
import type { Parts } from '../kit/parts.ts'
import { check, connect, declared } from './connect.ts'
import { initial, translate } from './translate.ts'

/** An agent that needs no key, no network and no installation: a demo, or the player of a script. */
export const scripted: Agent<Parts> = {
  ...about,
  find: () => Promise.resolve({ status: 'ready', version: '1', advice: null }),
  options: declared,
  check,
  connect,
  initial,
  translate,
}
