import type { Mutant } from './mutant.ts'

const auth = ['src/server/auth/auth.test.ts', 'src/server/auth/sign-out.test.ts']
const dataFolder = ['src/agents/model/tools/data-folder.test.ts']
const pageText = ['src/agents/model/tools/page-text.test.ts']
const shorten = ['src/agents/kit/shorten-json.test.ts']

/** Defects in what protects the server and its data: sign-in, the closed data folder, rules, and long or hostile text. */
export const trustMutants: readonly Mutant[] = [
  {
    id: 'U01',
    file: 'src/server/auth/credentials.ts',
    from: '        checkKey(facts)\n',
    to: '',
    wrong: 'A cookie that another port replays is enough for calls.',
    tests: auth,
  },
  {
    id: 'U02',
    file: 'src/server/auth/credentials.ts',
    from: 'if (authorization === null) checkBrowser(facts)',
    to: 'if (authorization === null || facts.header("cookie") !== null) checkBrowser(facts)',
    wrong: 'A cookie makes a wrong token good.',
    tests: auth,
  },
  {
    id: 'U03',
    file: 'src/server/auth/sign-ins.ts',
    from: '      seed.write(newToken())\n',
    to: '',
    wrong: 'Signing out changes nothing.',
    tests: auth,
  },
  {
    id: 'U04',
    file: 'src/cli/preferences.ts',
    from: 'renameSync(`${path}.new`, path)',
    to: 'void renameSync',
    wrong: 'A restart signs browsers in again that were signed out.',
    tests: ['src/cli/serve/sign-in-seed.test.ts'],
  },
  {
    id: 'U05',
    file: 'src/agents/kit/data-folder.ts',
    from: 'if (stats.nlink <= 1n && (await hasName(handle))) return',
    to: 'if (stats.nlink <= 2n) return',
    wrong: 'A second name of a file in the data folder can be read.',
    tests: dataFolder,
  },
  {
    id: 'U06',
    file: 'src/agents/kit/data-folder.ts',
    from: 'if (isWithin(processes, path))',
    to: 'if (path === processes)',
    wrong: 'Agents read the memory and open files of the server through /proc.',
    tests: ['src/agents/kit/data-folder.test.ts'],
  },
  {
    id: 'U07',
    file: 'src/agents/model/tools/page-text.ts',
    from: 'yield text.slice(at, at + size)',
    to: 'yield text.slice(at, at + size - 1)',
    wrong: 'A character is lost at the end of each slice of a page.',
    tests: pageText,
  },
  {
    id: 'U08',
    file: 'src/agents/model/tools/page-text.ts',
    from: 'space = text.slice(piece.length)',
    to: "space = ''",
    wrong: 'Words on both sides of a slice run together.',
    tests: pageText,
  },
  {
    id: 'U09',
    file: 'src/agents/kit/shorten-json.ts',
    from: 'size() > budget ? short : longest',
    to: 'longest',
    wrong: 'Many long strings are given up instead of shortened.',
    tests: shorten,
  },
  {
    id: 'U10',
    file: 'src/agents/kit/shorten-json.ts',
    from: 'if (isCut) dropping = null',
    to: 'if (isCut) dropping = dropping === 1 ? null : dropping',
    wrong: 'What follows a shortened list is lost with it.',
    tests: shorten,
  },
  {
    id: 'U11',
    file: 'src/agents/kit/data-folder.ts',
    from: 'path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)',
    to: 'path.startsWith(root)',
    wrong: 'A folder whose name only begins like the data folder is closed too.',
    tests: ['src/agents/kit/data-folder.test.ts'],
  },
]
