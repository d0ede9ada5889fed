import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Json } from '../../../src/protocol/json.ts'

/** The folders of one scenario, and how Gemini CLI is started in them. */
export interface GeminiHome extends Disposable {
  readonly home: string
  readonly cwd: string
  readonly dataFolder: string
  readonly options: Json
}

const settings = {
  general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
}

/** Makes a home in which Gemini CLI has only a fake of its model. */
export function createGeminiHome(root: string, program: string, url: string): GeminiHome {
  const home = mkdtempSync(join(root, 'home-'))
  const cwd = join(home, 'work')
  for (const folder of [cwd, join(home, '.gemini'), join(home, 'data')]) mkdirSync(folder)
  writeFileSync(join(cwd, 'notes.txt'), 'alpha\nbeta\n')
  writeFileSync(join(home, '.gemini', 'settings.json'), JSON.stringify(settings))
  return {
    home,
    cwd,
    dataFolder: join(home, 'data'),
    options: {
      command: program,
      model: 'gemini-2.5-flash',
      env: {
        HOME: home,
        GEMINI_API_KEY: 'dummy',
        GOOGLE_GEMINI_BASE_URL: url,
        NO_COLOR: '1',
        TERM: 'dumb',
        CI: '1',
      },
    },
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  }
}
