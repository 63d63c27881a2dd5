import Testing

/// All that a transaction's lifecycle does, in one place. What is not listed here changes nothing and asks for nothing.
///
/// A line holds the phases; the input, and the conditions under which it counts; the phase that follows and the effects, in
/// order. A condition is a word that ``LifecycleCase`` knows; `!` in front of it turns it around.
enum LifecycleTable {
    static let text = """
        # The store answers a payment, or brings a transaction by itself.
        submitted              | deferred                                -> deferred: announceDeferral
        submitted deferred     | scheduled                               -> done: deliver scheduled, publish scheduled, end
        submitted deferred     | failed+transaction                      -> done: finish, deliver failed unknown, publish failed unknown, end
        submitted deferred     | failed                                  -> done: deliver failed unknown, publish failed unknown, end
        submitted deferred     | cancelled+transaction                   -> done: finish, deliver cancelled, publish cancelled, end
        submitted deferred     | cancelled                               -> done: deliver cancelled, publish cancelled, end
        submitted deferred     | removed                                 -> done: deliver failed transactionRemoved, publish failed transactionRemoved, end

        # A transaction is here, for the first time or with a newer word of the store while nothing is under way.
        BEGINNING              | arrived trusted !restore                -> lookingUp: lookUp
        BEGINNING              | arrived trusted restore                 -> lookingUp:
        BEGINNING              | arrived unverified told                 -> unverified:
        BEGINNING              | arrived unverified !told !restore       -> unverified unasked told: deliver failed verificationFailed, publish failed verificationFailed
        BEGINNING              | arrived unverified !told restore        -> unverified unasked told: settle undecided
        awaitingFinish         | arrived repeated                        -> SAME:
        awaitingFinish         | arrived !repeated trusted               -> lookingUp unasked: lookUp
        awaitingFinish         | arrived !repeated unverified told       -> unverified unasked:
        awaitingFinish         | arrived !repeated unverified !told      -> unverified unasked told: deliver failed verificationFailed, publish failed verificationFailed

        # Was it dealt with before?
        lookingUp              | contextFound                            -> lookingUp:
        lookingUp              | new !restore standing                   -> verifying: verify
        lookingUp              | new !restore withdrawn                  -> persisting: persist
        lookingUp              | handled unasked !gone                   -> done: finish, end
        lookingUp              | handled unasked gone                    -> done: end
        lookingUp              | handled request nonConsumable finishes  -> done: finish, deliver restored, publish restored, end
        lookingUp              | handled request nonConsumable !finishes -> done: deliver restored, publish restored, end
        lookingUp              | handled request autoRenewable           -> done: deliver scheduled, publish scheduled, end
        lookingUp              | handled request consumable finishes     -> done: finish, deliver failed unfinishedTransaction, publish failed unfinishedTransaction, end
        lookingUp              | handled request consumable !finishes    -> done: deliver failed unfinishedTransaction, publish failed unfinishedTransaction, end
        lookingUp              | superseded request                      -> done: deliver failed unfinishedTransaction, publish failed unfinishedTransaction, end
        lookingUp              | superseded !request                     -> done: end
        lookingUp              | refused unasked finishes                -> done: finish, end
        lookingUp              | refused unasked !finishes               -> done: end
        lookingUp              | refused request finishes                -> done: finish, deliver failed verificationFailed, publish failed verificationFailed, end
        lookingUp              | refused request !finishes               -> done: deliver failed verificationFailed, publish failed verificationFailed, end

        # What a restore lists is looked up together, and what was handed over before is restored all the same.
        lookingUp              | new restore                             -> verifying:
        lookingUp              | handled restore                         -> verifying:
        lookingUp              | refused restore                         -> gathered: settle invalid
        # The restore that listed it has failed: it is on its own, as if nobody had listed it.
        lookingUp              | abandoned restore                       -> lookingUp unasked: lookUp

        # The ledger could not be read: nobody knows, and it is asked again later.
        lookingUp              | lookUpFailed told                       -> unread: scheduleRetry
        lookingUp              | lookUpFailed !told !restore             -> unread unasked told: deliver failed persistenceFailed, publish failed persistenceFailed, scheduleRetry
        lookingUp              | lookUpFailed !told restore              -> unread unasked told: settle undecided, scheduleRetry
        unread                 | retry                                   -> lookingUp: lookUp

        # Is it genuine?
        verifying              | noReceiver !restore !noticed            -> waitingForReceiver noticed: reportWaiting
        verifying              | noReceiver !restore noticed             -> waitingForReceiver:
        waitingForReceiver     | receiverAppeared                        -> verifying: verify
        waitingForReceiver     | retry                                   -> verifying: verify
        verifying undecided waitingForReceiver | valid                   -> persisting: persist
        verifying              | invalid !restore finishes               -> done: finish, deliver failed verificationFailed, publish failed verificationFailed, end
        verifying              | invalid !restore !finishes              -> done: deliver failed verificationFailed, publish failed verificationFailed, end
        verifying              | invalid restore                         -> gathered: settle invalid
        verifying              | unableToComplete told                   -> undecided: scheduleRetry
        verifying              | unableToComplete !told !restore         -> undecided unasked told: deliver failed unableToCompleteVerification, publish failed unableToCompleteVerification, scheduleRetry
        verifying              | unableToComplete !told restore          -> undecided unasked told: settle undecided, scheduleRetry
        undecided              | retry                                   -> verifying: verify

        # It is written down, and its content fetched.
        persisting             | persisted !withdrawal                   -> downloading: download
        persisting             | persisted withdrawal                    -> delivering: deliver OUTCOME
        persisting             | persistFailed told                      -> stalled:
        persisting             | persistFailed !told !restore            -> stalled unasked told: deliver failed persistenceFailed, publish failed persistenceFailed
        persisting             | persistFailed !told restore             -> stalled unasked told: settle undecided
        downloading            | downloaded !restore bought              -> delivering: deliver purchased
        downloading            | downloaded !restore owned               -> delivering: deliver restored
        downloading            | downloaded restore                      -> gathered: settle restored
        downloading            | downloadFailed told                     -> stalled:
        downloading            | downloadFailed !told !restore           -> stalled unasked told: deliver failed downloadCancelled, publish failed downloadCancelled
        downloading            | downloadFailed !told restore            -> stalled unasked told: settle undecided
        stalled                | retry                                   -> persisting: persist

        # The store takes it back, or tells of a better plan, while its content is fetched, or while it waits for the content of others.
        downloading            | arrived trusted withdrawn !restore      -> lookingUp: cancelDownload, lookUp
        downloading            | arrived trusted withdrawn restore       -> lookingUp unasked: cancelDownload, lookUp
        gathered               | arrived trusted withdrawn success       -> lookingUp unasked: lookUp

        # It is handed over: by itself, or together with all others of a restore.
        delivering             | delivered finishes                      -> finishing: finish
        delivering             | delivered gone                          -> done: recordFinish, publish OUTCOME, end
        delivering             | delivered manual !gone !upgrade         -> awaitingFinish: publish OUTCOME
        delivering             | delivered manual !gone upgrade          -> finishing: finish
        delivering             | noReceiver !noticed                     -> waitingForDelivery noticed: reportWaiting
        delivering             | noReceiver noticed                      -> waitingForDelivery:
        waitingForDelivery     | receiverAppeared                        -> delivering: deliver OUTCOME
        waitingForDelivery     | retry                                   -> delivering: deliver OUTCOME
        gathered               | delivered success finishes              -> finishing: finish
        gathered               | delivered success gone                  -> done: recordFinish, end
        gathered               | delivered success manual !gone          -> awaitingFinish:
        gathered               | delivered refusal finishes              -> done: finish, end
        gathered               | delivered refusal !finishes             -> done: end
        gathered               | noReceiver success                      -> delivering unasked: deliver restored
        gathered               | noReceiver refusal finishes             -> done: finish, deliver failed verificationFailed, publish failed verificationFailed, end
        gathered               | noReceiver refusal !finishes            -> done: deliver failed verificationFailed, publish failed verificationFailed, end

        # It is finished: a success is published then, unless its restore was or the app finishes and heard of it before. What
        # gave way to a better plan is nobody's to finish but the manager's.
        awaitingFinish         | finishRequested                         -> finishing: finish
        awaitingFinish         | finished                                -> done: recordFinish, end
        awaitingFinish         | removed                                 -> done: recordFinish, end
        finishing              | finished manual !upgrade                -> done: recordFinish, end
        finishing              | removed manual !upgrade                 -> done: recordFinish, end
        finishing              | finishTimedOut manual !upgrade          -> done: recordFinish, end
        finishing              | finished manual upgrade                 -> done: recordFinish, publish OUTCOME, end
        finishing              | removed manual upgrade                  -> done: recordFinish, publish OUTCOME, end
        finishing              | finishTimedOut manual upgrade           -> done: recordFinish, publish OUTCOME, end
        finishing              | finished !manual restore                -> done: recordFinish, end
        finishing              | removed !manual restore                 -> done: recordFinish, end
        finishing              | finishTimedOut !manual restore          -> done: recordFinish, end
        finishing              | finished !manual !restore               -> done: recordFinish, publish OUTCOME, end
        finishing              | removed !manual !restore                -> done: recordFinish, publish OUTCOME, end
        finishing              | finishTimedOut !manual !restore         -> done: recordFinish, publish OUTCOME, end

        # Another component takes it from the queue: it goes on, and is not finished. To be told once is enough.
        UNFINISHED             | removed !gone                           -> SAME gone:
        UNFINISHED             | removed gone                            -> SAME:

        # A purchase is answered with a transaction that was here before, and takes it over.
        unread                 | adopted                                 -> lookingUp request untold: lookUp
        waitingForReceiver     | adopted                                 -> verifying request untold: verify
        undecided              | adopted                                 -> verifying request untold: verify
        waitingForDelivery     | adopted                                 -> delivering request untold: deliver OUTCOME
        stalled                | adopted                                 -> persisting request untold: persist
        unverified             | adopted                                 -> unverified unasked told: deliver failed verificationFailed, publish failed verificationFailed
        UNDERWAY               | adopted !restore                        -> SAME request untold:

        # A restore lists a transaction that was here before and is at rest: it is the restore's from now on.
        RESTING                | listed standing other trusted           -> lookingUp restore untold:
        RESTING                | listed standing other unverified        -> unverified unasked told: settle undecided
        unread                 | listed standing same                    -> lookingUp restore untold:
        waitingForReceiver     | listed standing same                    -> lookingUp restore untold:
        undecided              | listed standing same                    -> lookingUp restore untold:
        stalled                | listed standing same                    -> persisting restore untold: persist
        waitingForDelivery     | listed standing same                    -> gathered restore untold: settle restored
        unverified             | listed standing same                    -> unverified unasked told: settle undecided
        """

    /// The groups of phases that stand in the table under one name.
    static let groups: [String: String] = [
        "BEGINNING": "submitted deferred unread waitingForReceiver undecided stalled waitingForDelivery unverified",
        "UNFINISHED":
            "lookingUp unread waitingForReceiver verifying undecided unverified persisting downloading stalled gathered delivering waitingForDelivery",
        "RESTING": "unread waitingForReceiver undecided stalled waitingForDelivery unverified",
        "UNDERWAY": "lookingUp verifying persisting downloading delivering",
    ]
}
