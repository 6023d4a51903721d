import { servicesAccount } from '../../api/services-account.ts';

/** On everything that `afloat install`, the plain manifests and the chart bring: by it they are found again. */
export const partOfLabel = 'app.kubernetes.io/part-of';

export const deployLabels = { [partOfLabel]: 'afloat' } as const;

/** The operator: its account, Deployment and roles. */
export const operatorName = 'afloat-operator';

/** Where it is installed where nobody says otherwise. */
export const operatorNamespace = 'afloat-system';

/** The role of the operator in a namespace with a cloud. */
export const cloudRoleName = 'afloat-operator-cloud';

/** The right to read the definitions of our kinds. */
export const definitionsName = 'afloat-definitions';

/** The account of a record, and its ready-made role. */
export const servicesName = servicesAccount;

/** Where probes and metrics are. */
export const metricsPort = 8080;

/** The user of the image: a normal one. */
export const imageUser = 65532;
