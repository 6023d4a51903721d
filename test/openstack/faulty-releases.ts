/** Releases of Keystone with something wrong, each made of the real next one. */
import type { Variant } from '../../scripts/openstack/packages/compose-package.ts';
import { keystoneVersions } from './keystone-world.ts';

const { next } = keystoneVersions;

const faulty = (changes: Variant['changes']): Variant => ({ of: next, changes });

/** Answers 500 instead of Keystone to requests for which a condition of Python holds. */
const answers500 = (condition: string) => (text: string) =>
  `${text}
import itertools

serve = application
numbers = itertools.count(1)


def application(environ, start_response):
    path = environ['PATH_INFO']
    if ${condition}:
        start_response('500 Internal Server Error', [('Content-Type', 'application/json'), ('Content-Length', '2')])
        return [b'{}']
    return serve(environ, start_response)
`;

/** All calls of its test are made, and then it fails. */
export const failsItsTest = faulty({
  'program/test.py': text => text.replace(/^sys\.exit\(0\)$/m, "database.fail('it was not to be')"),
});

/** It ends before it listens, and so does every one that is started after it. */
export const crashesOnStart = faulty({
  'program/wsgi.py': text =>
    text.replace('    application = ', "    raise SystemError('it was not to be')\n    application = "),
});

/** One call in ten, whatever it asks for; whoever only asks whether it is there is not troubled. */
export const failsOneInTen = faulty({
  'program/wsgi.py': answers500("path != '/v3' and next(numbers) % 10 == 0"),
});

/** The calls that begin with this path; clients make them, and the test of the package does not. */
export const failsAt = (folder: string) =>
  faulty({ 'program/wsgi.py': answers500(`path.startswith('${folder}')`) });

/** Its expand has a step of its own before the real ones, so that it can fail half way: the first real one is the unique key on trusts. */
export const expandsInSteps = faulty({
  'program/schema.py': text =>
    text.replace(
      "    code, said = database.run('keystone-manage'",
      `    if verb == 'expand':
        with database.connect(database=database.name()) as connection:
            database.ask(connection, 'CREATE TABLE IF NOT EXISTS first_step (id INT PRIMARY KEY)')
    code, said = database.run('keystone-manage'`,
    ),
});
