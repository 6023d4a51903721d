/** One talk with a cluster: lines of shell, one after the other, in a namespace and a folder of their own. */
export interface Session {
  readonly name: string;
  readonly steps: readonly string[];
}

/** A file of the folder of a session, as a line that writes it. */
function file(name: string, text: string): string {
  return `mkdir -p "$(dirname ${name})"; cat > ${name} <<'END'\n${text.trim()}\nEND`;
}

const web = (replicas: number, message: string) => `
apiVersion: v1
kind: ConfigMap
metadata: {name: web, labels: {app: web}}
data: {message: ${message}}
---
apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: web}}
spec:
  clusterIP: None
  selector: {app: web}
  ports: [{name: http, port: 80, targetPort: 8080}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, labels: {app: web}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: main
          image: $IMAGE
          imagePullPolicy: Never
          command: [sh, -c, 'echo one; echo two; echo three; sleep 100000']
          env: [{name: MESSAGE, value: ${message}}]
          ports: [{containerPort: 8080}]
        - name: side
          image: $IMAGE
          imagePullPolicy: Never
          command: [sh, -c, 'echo side; sleep 100000']
`;

const record = (approval: string) => `
apiVersion: openstacklcm.airshipit.org/v1alpha1
kind: OpenstackDeployment
metadata: {name: cloud}
spec:
  approval: ${approval}
  services: []
`;

const substituted = (name: string) => `sed -i "s|[$]IMAGE|$IMAGE|" ${name}`;

/** What is asked of both worlds. Nothing here may depend on how fast a machine is. */
export const sessions: readonly Session[] = [
  {
    name: 'objects',
    steps: [
      'kubectl create configmap one --from-literal=a=1 --from-literal=b=2',
      'kubectl get configmap one',
      'kubectl get configmaps one -o yaml',
      'kubectl get cm/one -o jsonpath="{.data.a}"',
      'kubectl get cm one -o json --show-managed-fields',
      'kubectl get cm one --show-labels -o wide',
      'kubectl get cm one -o custom-columns=NAME:.metadata.name,A:.data.a',
      'kubectl create configmap one',
      'kubectl label configmap one color=red',
      'kubectl label configmap one color=blue',
      'kubectl label configmap one color=blue --overwrite',
      'kubectl annotate configmap one note="a word"',
      'kubectl annotate configmap one note-',
      'kubectl get cm -l color=blue -o name',
      'kubectl get cm -l "color in (red, green)" -o name',
      'kubectl get cm --field-selector metadata.name=one -o name',
      `kubectl patch cm one --type merge -p '{"data": {"b": null, "c": "3"}}'`,
      `kubectl patch cm one --type json -p '[{"op": "add", "path": "/data/d", "value": "4"}]'`,
      `kubectl patch cm one -p '{"data": {"e": "5"}}'`,
      `kubectl patch cm one -p '{"data": {"e": "5"}}'`,
      `kubectl patch cm one --type json -p '[{"op": "test", "path": "/data/d", "value": "5"}]'`,
      'kubectl get cm one -o jsonpath="{.data}"',
      `KUBE_EDITOR="sed -i 's/c: \\"3\\"/c: three/'" kubectl edit configmap one`,
      'KUBE_EDITOR=true kubectl edit configmap one',
      'kubectl get cm one -o jsonpath="{.data}"',
      'kubectl describe configmap one',
      'kubectl create secret generic hidden --from-literal=word=secret',
      'kubectl get secret hidden',
      'kubectl describe secret hidden',
      'kubectl get secret hidden -o jsonpath="{.data.word}"',
      'kubectl create serviceaccount robot',
      'kubectl create role reader --verb=get,list --resource=pods,configmaps',
      'kubectl create rolebinding readers --role=reader --serviceaccount=default:robot --user=jo',
      'kubectl get role,rolebinding -o wide',
      'kubectl describe rolebinding readers',
      'kubectl create quota none --hard=pods=1 --dry-run=client -o name',
      'kubectl create service clusterip api --tcp=80:8080 --dry-run=server -o name',
      'kubectl get service api',
      'kubectl create priorityclass afloat-session --value=7 --description=x --dry-run=server',
      'kubectl create poddisruptionbudget careful --selector=app=web --min-available=1',
      'kubectl get pdb careful',
      'kubectl create ingress door --rule="example.org/*=web:80"',
      'kubectl get ingress door',
      'kubectl get cm one -o yaml > one.yaml; sed -i "s/three/3/" one.yaml; kubectl replace -f one.yaml',
      'kubectl replace -f one.yaml',
      'kubectl delete cm one --dry-run=server',
      'kubectl delete cm one',
      'kubectl delete cm one',
      'kubectl delete cm one --ignore-not-found',
      'kubectl get cm nothing',
      'kubectl get nothing',
      'kubectl delete secret --all',
      'kubectl get secrets',
    ],
  },
  {
    name: 'apply',
    steps: [
      file('web.yaml', web(0, 'hello')),
      substituted('web.yaml'),
      'kubectl apply -f web.yaml --dry-run=server',
      'kubectl apply -f web.yaml',
      'kubectl apply -f web.yaml',
      'kubectl get -f web.yaml -o name',
      'kubectl get deployment web -o yaml',
      'kubectl get service web -o wide',
      'kubectl describe service web',
      'sed -i "s/hello/changed/" web.yaml; kubectl diff -f web.yaml | grep "^[+-] "',
      'kubectl apply -f web.yaml',
      'kubectl get deployment web -o jsonpath="{.spec.template.spec.containers[*].env}"',
      'sed -i "/env:/d" web.yaml; kubectl apply -f web.yaml',
      'kubectl get deployment web -o jsonpath="{.spec.template.spec.containers[*].env}"',
      'kubectl get deployment web -o jsonpath="{.spec.template.spec.containers[*].name}"',
      'kubectl apply view-last-applied configmap web',
      'kubectl set env deployment/web COLOR=red',
      'kubectl set image deployment/web side=other:1',
      'kubectl get deployment web -o jsonpath="{.spec.template.spec.containers[*].image}" | sed "s|$IMAGE|IMAGE|g"',
      file('strict.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: strict}\ndatum: {a: b}'),
      'kubectl apply -f strict.yaml',
      'kubectl apply -f strict.yaml --validate=strict',
      'kubectl apply -f strict.yaml --validate=false',
      file('wrong.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: Wrong_Name}\ndata: {a: b}'),
      'kubectl apply -f wrong.yaml',
      file(
        'typed.yaml',
        'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: typed}\nspec: {replicas: many}',
      ),
      'kubectl apply -f typed.yaml 2>&1 | head -c 60',
      file('unknown.yaml', 'apiVersion: v7\nkind: Nothing\nmetadata: {name: a}'),
      'kubectl apply -f unknown.yaml',
      file('map.yaml', 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: map}\ndata: {a: "1", b: "2"}'),
      'kubectl apply --server-side -f map.yaml',
      'kubectl apply --server-side -f map.yaml',
      'sed -i "s/\\"1\\"/\\"7\\"/" map.yaml; kubectl apply --server-side --field-manager=other -f map.yaml',
      'kubectl apply --server-side --field-manager=other --force-conflicts -f map.yaml',
      'kubectl get cm map -o jsonpath="{.data}"',
      'kubectl get cm map -o yaml --show-managed-fields',
      'kubectl delete -f web.yaml',
      'kubectl get all',
    ],
  },
  {
    name: 'workload',
    steps: [
      file('web.yaml', web(2, 'hello')),
      substituted('web.yaml'),
      'kubectl apply -f web.yaml',
      'kubectl rollout status deployment/web --timeout=120s | tail -1',
      'kubectl wait deployment/web --for=condition=Available --timeout=120s',
      'kubectl get deployments,replicasets,pods',
      'kubectl get deployments web -o wide | sed "s|$IMAGE|IMAGE|g"',
      'kubectl get pods -l app=web -o name | wc -l',
      'kubectl get pods --field-selector=status.phase=Running -o name | wc -l',
      'kubectl describe deployment web | sed "s|$IMAGE|IMAGE|g"',
      'kubectl logs deployment/web -c main',
      'kubectl logs deployment/web -c main --tail=1',
      'kubectl logs deployment/web -c main --limit-bytes=5',
      'kubectl logs deployment/web -c main --since=1h',
      'kubectl logs deployment/web -c main --since-time=2020-01-01T00:00:00Z --tail=1 --timestamps',
      'kubectl logs deployment/web -c main --since-time=2100-01-01T00:00:00Z',
      'kubectl logs deployment/web -c main --since-time=yesterday',
      'kubectl logs deployment/web -c side',
      'kubectl logs $(kubectl get pods -o name | head -1) 2>&1 | head -1 | sed "s|pod/||"',
      'kubectl logs $(kubectl get pods -o name | head -1) -c nothing',
      'kubectl logs nothing',
      'timeout 5 kubectl logs -f deployment/web -c main | head -3',
      'kubectl logs -l app=web -c side --prefix=false',
      'kubectl scale deployment/web --replicas=3',
      'kubectl rollout status deployment/web --timeout=120s | tail -1',
      'kubectl get deployment web',
      'kubectl scale deployment/web --replicas=1 --current-replicas=2',
      'kubectl scale deployment/web --replicas=1 --current-replicas=3',
      'kubectl rollout status deployment/web --timeout=120s | tail -1',
      'kubectl wait --for=jsonpath="{.status.readyReplicas}"=1 deployment/web --timeout=120s',
      'kubectl rollout restart deployment/web',
      'kubectl rollout status deployment/web --timeout=120s | tail -1',
      'kubectl rollout history deployment/web',
      'kubectl rollout undo deployment/web',
      'kubectl rollout status deployment/web --timeout=120s | tail -1',
      'kubectl rollout history deployment/web',
      'kubectl get rs -o jsonpath="{.items[*].spec.replicas}" | tr " " "\\n" | sort',
      'kubectl rollout pause deployment/web; kubectl rollout resume deployment/web',
      'kubectl get events --field-selector reason=ScalingReplicaSet -o name | wc -l',
      'kubectl events --for deployment/web --types=Normal | grep -c Scal',
      'kubectl delete deployment web --wait',
      // How many have not gone yet when it begins to wait is chance.
      'kubectl wait pod -l app=web --for=delete --timeout=120s >/dev/null 2>&1; kubectl get pods',
    ],
  },
  {
    name: 'jobs',
    steps: [
      'kubectl create job once --image="$IMAGE" -- sh -c "echo done"',
      `kubectl patch job once --type merge -p '{"spec": {"backoffLimit": 2}}'`,
      'kubectl wait job/once --for=condition=Complete --timeout=120s',
      'kubectl get job once',
      'kubectl logs job/once',
      'kubectl get pods',
      'kubectl create cronjob nightly --image="$IMAGE" --schedule="0 3 * * *" -- true',
      'kubectl get cronjob nightly',
      'kubectl create job now --from=cronjob/nightly',
      'kubectl wait job/now --for=condition=Complete --timeout=120s',
      'kubectl get jobs -o name',
      'kubectl delete job once now; kubectl delete cronjob nightly',
    ],
  },
  {
    name: 'custom resources',
    steps: [
      file('record.yaml', record('manual')),
      'kubectl apply -f record.yaml',
      'kubectl get openstackdeployments',
      'kubectl get osdpl cloud -o wide',
      'kubectl get osdpl cloud -o yaml',
      'sed -i "s/manual/automatic/" record.yaml; kubectl apply -f record.yaml',
      'kubectl get osdpl cloud -o jsonpath="{.spec.approval} {.metadata.generation}"',
      `kubectl patch osdpl cloud --type merge -p '{"spec": {"approval": "manual"}}'`,
      `kubectl patch osdpl cloud --type strategic -p '{"spec": {"approval": "manual"}}'`,
      `kubectl patch osdpl cloud --subresource status --type merge -p '{"status": {"observedGeneration": 1}}'`,
      'kubectl describe osdpl cloud',
      'kubectl label osdpl cloud color=red',
      `KUBE_EDITOR="sed -i 's/approval: manual/approval: automatic/'" kubectl edit osdpl cloud`,
      'kubectl apply --server-side --force-conflicts -f record.yaml',
      `kubectl patch osdpl cloud --type merge -p '{"spec": {"approval": "perhaps"}}'`,
      'sed -i "s/approval/aproval/" record.yaml; kubectl apply -f record.yaml',
      'kubectl get openstacklcm 2>&1 | head -2',
      'kubectl explain openstackdeployment.spec.approval',
      'kubectl explain osdpl.spec | head -20',
      'kubectl get crd openstackdeployments.openstacklcm.airshipit.org -o name',
      'kubectl delete osdpl cloud',
    ],
  },
  {
    name: 'what is there',
    steps: [
      'kubectl get --raw /livez',
      'kubectl get --raw /readyz',
      'kubectl get --raw /nothing',
      'kubectl api-resources --api-group=apps',
      'kubectl api-resources --api-group=apps -o wide',
      'kubectl api-resources --api-group=openstacklcm.airshipit.org -o wide',
      'kubectl api-resources --api-group=batch --namespaced=true -o name',
      'kubectl api-versions | grep -x -e v1 -e apps/v1 -e batch/v1 -e networking.k8s.io/v1',
      'kubectl auth can-i create deployments',
      'kubectl auth can-i "*" "*"',
      'kubectl explain configmap',
      'kubectl explain configmap | grep -E "^(KIND|VERSION|FIELDS)|^  [a-z]"',
      'kubectl explain pod.spec.volumes | grep -E "^  [a-z]" | sed "s/ -required-//"',
      'kubectl explain deployment.spec.strategy.rollingUpdate | grep -E "^  [a-z]"',
      'kubectl explain pod.spec.containers.ports',
      'kubectl explain pod.spec.nothing',
      'kubectl get namespace default',
      'kubectl get pods --watch --request-timeout=1s',
    ],
  },
  {
    name: 'refused',
    steps: [
      'kubectl run one --image="$IMAGE" --image-pull-policy=Never --restart=Never --command -- sleep 100000',
      'kubectl wait pod/one --for=condition=Ready --timeout=120s',
      'kubectl get pod one',
      'kubectl exec one -- echo hello',
      'timeout 3 kubectl attach one',
      'timeout 3 kubectl port-forward pod/one 18080:80',
      'kubectl create token default >/dev/null && echo given',
      'kubectl delete pod one --now',
    ],
  },
  {
    name: 'helm',
    steps: [
      file(
        'chart/Chart.yaml',
        'apiVersion: v2\nname: chart\nversion: 1.2.3\nappVersion: "7"\ndescription: For a session',
      ),
      file('chart/values.yaml', 'message: hello\n'),
      file(
        'chart/templates/all.yaml',
        `
apiVersion: v1
kind: ConfigMap
metadata: {name: {{ .Release.Name }}-map}
data: {message: {{ .Values.message | quote }}}
---
apiVersion: v1
kind: Service
metadata: {name: {{ .Release.Name }}-web}
spec: {clusterIP: None, selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: batch/v1
kind: Job
metadata: {name: {{ .Release.Name }}-hook, annotations: {helm.sh/hook: post-install, helm.sh/hook-delete-policy: hook-succeeded}}
spec:
  template:
    spec:
      restartPolicy: Never
      containers: [{name: main, image: {{ .Values.image }}, imagePullPolicy: Never, command: ["true"]}]
`,
      ),
      'helm install one chart --set image="$IMAGE" --wait --timeout 120s',
      'helm list',
      'helm status one',
      'helm get manifest one | sed "s|$IMAGE|IMAGE|g"',
      'kubectl get configmap/one-map service/one-web',
      'kubectl get secret -l owner=helm -o name',
      'helm upgrade one chart --set image="$IMAGE" --set message=changed',
      'kubectl get cm one-map -o jsonpath="{.data}"',
      'kubectl annotate cm one-map hand=made; helm upgrade one chart --reuse-values --set message=again | head -2',
      'kubectl get cm one-map -o jsonpath="{.data} {.metadata.annotations.hand}"',
      'helm history one',
      'helm rollback one 1',
      'kubectl get cm one-map -o jsonpath="{.data}"',
      'helm get values one | sed "s|$IMAGE|IMAGE|g"',
      'helm install one chart --set image="$IMAGE"',
      'helm uninstall one',
      'helm list -q; kubectl get configmap one-map',
      'helm install two chart --set image="$IMAGE" --dry-run=server | tail -5 | sed "s|$IMAGE|IMAGE|g"',
      'sed -i "s/^data:/datum:/" chart/templates/all.yaml; helm install three chart --set image="$IMAGE"',
    ],
  },
];
