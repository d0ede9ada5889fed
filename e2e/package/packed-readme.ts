/** The words between `<!-- repository -->` and `<!-- /repository -->`. */
const forRepository = /<!-- repository -->.*?<!-- \/repository -->\n?/gs
/** The words that only the package shows: `<!-- package … -->`. */
const forPackage = /<!-- package(.*?)-->/gs
/** An address that means a file of this repository. */
const here = String.raw`\((?![a-z]+:|#)[^()\s]*\)`
const picture = new RegExp(String.raw`!\[[^\]]*\]${here}\n*`, 'g')
const link = new RegExp(String.raw`\[([^\]]*)\]${here}`, 'g')

/**
 * The README as the package has it. A registry shows it without the files beside it, so it has no pictures of this
 * repository, no links into it, and the commands of a package.
 */
export function packedReadme(readme: string): string {
  return readme
    .replace(forRepository, '')
    .replace(forPackage, (_, words: string) => words.trim())
    .replace(picture, '')
    .replace(link, '$1')
    .replaceAll(/npm run (?:-s )?dragoman -- /g, 'npx dragoman ')
    .replaceAll(/\n{3,}/g, '\n\n')
}
