import type { Agent } from '../agent.ts'
import { about } from './about.ts'
import { connect } from './connect.ts'
import { findNamed } from './find.ts'
import { check, declared } from './options.ts'
import { readRecorded } from './recorded-line.ts'
import { initial, translate, type AcpState } from './translate.ts'

export { connectAcp, type Manner } from './connect.ts'
export { programOf } from './find.ts'
export { ownOptions, readSettings, type Settings } from './options.ts'
export { isObject, listOf, numberOf, objectOf, textOf, type JsonObject } from './messages.ts'
export { presets } from './presets.ts'
export { readRecorded as readAcpRecorded } from './recorded-line.ts'
export {
  initial as initialAcp,
  translate as translateAcp,
  translateMessage,
  type AcpState,
} from './translate.ts'

/** Any agent with the Agent Client Protocol, named by its command or by a preset. */
export const acp: Agent<AcpState> = {
  ...about,
  find: options => findNamed(options),
  options: declared,
  check: async ({ options }) => check(options),
  connect,
  initial: (connection, opening) => initial(connection, 'acp', opening),
  translate,
  readRecorded,
}
