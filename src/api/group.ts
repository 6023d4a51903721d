/** The API group all our kinds live in, shared with the manifests written for its earlier operator. */
export const group = 'openstacklcm.airshipit.org';

/** The one served version. */
export const version = 'v1alpha1';

/** What a manifest of ours says in `apiVersion`. */
export const apiVersion = `${group}/${version}`;
