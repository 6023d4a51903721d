/** The name of the lease of all operators that look after the same clouds. */
export const leaseName = 'afloat-operator';
